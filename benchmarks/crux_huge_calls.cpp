// SPDX-License-Identifier: Apache-2.0
// Every expert kernel on 2^31 elements.

#include "crux_calls.h"

namespace belay::benchmarks {

const std::vector<CruxCall>& HugeCalls() {
  static const std::vector<CruxCall> calls = {
      // Activation.
      {"swish", "x=T[2147483648]"},
      {"softmax", "x=T[524288,4096]"},
      {"log_softmax", "x=T[524288,4096]"},
      {"gelu_forms", "x=T[2147483648]"},
      {"swiglu", "x=T[131072,16384]"},
      {"elu", "x=T[2147483648]"},
      {"mish", "x=T[2147483648]"},
      {"prelu", "x=T[32,1024,256,256] weight=T[1024]"},
      // Loss.
      {"cross_entropy", "x=T[65536,32768] target=i32[65536]"},
      {"mse_loss", "predict=T[2147483648] label=T[2147483648]"},
      {"triplet_margin_loss",
       "anchor=T[2097152,1024] positive=T[2097152,1024] "
       "negative=T[2097152,1024]"},
      {"bce_with_logits", "x=T[2147483648] target=T[2147483648]"},
      {"focal_loss", "x=T[2147483648] target=T[2147483648]"},
      // Mathematics and scan.
      {"cumsum_dim", "x=T[2048,1024,1024] dim=1"},
      {"cumprod_dim", "x=T[2048,1024,1024] dim=1"},
      {"masked_cumsum", "x=T[524288,4096] mask=bool[524288,4096]"},
      {"cummax_dim", "x=T[2048,1024,1024] dim=1"},
      {"log_add_exp", "a=T[2147483648] b=T[2147483648]"},
      {"rotary_embedding",
       "x=T[128,4096,32,128] cosine=f32[4096,64] sine=f32[4096,64]"},
      // Normalisation.
      {"add_layer_norm",
       "x1=T[524288,4096] x2=T[524288,4096] gamma=T[4096] beta=T[4096]"},
      {"layer_norm", "x=T[524288,4096] gamma=T[4096] beta=T[4096]"},
      {"rms_norm", "x=T[524288,4096] gamma=T[4096]"},
      {"batch_norm",
       "x=T[128,256,256,256] weight=T[256] bias=T[256] running_mean=f32[256] "
       "running_var=f32[256]"},
      {"group_norm_swish",
       "x=T[128,256,256,256] gamma=T[256] beta=T[256] groups=32"},
      {"ada_layer_norm",
       "x=T[1024,512,4096] scale=T[1024,4096] shift=T[1024,4096]"},
      {"local_response_norm", "x=T[128,256,256,256] size=5"},
      // Optimizer.
      {"adamw",
       "var=T[2147483648] m=T[2147483648] v=T[2147483648] grad=T[2147483648] "
       "step=f32[1]"},
      {"lion", "var=T[2147483648] m=T[2147483648] grad=T[2147483648]"},
      {"lars", "var=T[2147483648] velocity=T[2147483648] grad=T[2147483648]"},
      // Reduce.
      {"sum_dim", "x=T[131072,16384]"},
      {"sum_dim", "x=T[512,1024,4096] dim=1"},
      {"max_over_middle", "x=T[512,1024,4096]"},
      {"prod_dim", "x=T[131072,16384]"},
      {"logsumexp_dim", "x=T[131072,16384]"},
      {"var_mean_dim", "x=T[131072,16384]"},
      // Pooling.
      {"max_pool2d", "x=T[128,256,256,256] k=2 s=2 p=0"},
      {"adaptive_avg_pool2d", "x=T[128,256,256,256] OH=64 OW=64"},
      {"lp_pool2d", "x=T[128,256,256,256] k=2 s=2"},
      // Index and sort.
      {"topk_middle", "x=T[512,1024,4096] k=4"},
      {"moe_gating", "x=T[16777216,128] k=8"},
      {"embedding_bag", "table=T[524288,4096] words=i64[524288] starts=i64[4]"},
      // mHC.
      {"mhc_pre", "x=T[131072,4,4096] h_pre=f32[131072,4]"},
      {"mhc_post",
       "x=T[131072,4,4096] f=T[131072,4096] h_post=f32[131072,4] "
       "h_res=f32[131072,4,4]"},
      {"mhc_sinkhorn", "x=f32[134217728,4,4]"},
      {"mhc_post_grad",
       "dy=T[131072,4,4096] x=T[131072,4,4096] f=T[131072,4096] "
       "h_post=f32[131072,4] h_res=f32[131072,4,4]"},
  };
  return calls;
}

}  // namespace belay::benchmarks
