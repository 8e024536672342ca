// SPDX-License-Identifier: Apache-2.0
// The table of expert kernels, and the table of calls of them.

#include "expert_cases.h"

namespace belay::testing {
namespace {

constexpr Regime kTiny = Regime::kTiny;
constexpr Regime kAligned = Regime::kAligned;
constexpr Regime kOdd = Regime::kOdd;
constexpr Regime kLong = Regime::kLong;

}  // namespace

const std::vector<ExpertKernel>& ExpertKernels() {
  static const std::vector<ExpertKernel> kernels = {
      {"swish", "activation", true},
      {"softmax", "activation", true},
      {"log_softmax", "activation", true},
      {"gelu_forms", "activation", true},
      {"swiglu", "activation", true},
      {"elu", "activation", true},
      {"mish", "activation", false},
      {"prelu", "activation", false},
      {"cross_entropy", "loss", true},
      {"mse_loss", "loss", true},
      {"triplet_margin_loss", "loss", true},
      {"bce_with_logits", "loss", false},
      {"focal_loss", "loss", false},
      {"cumsum_dim", "math and scan", true},
      {"cumprod_dim", "math and scan", true},
      {"masked_cumsum", "math and scan", true},
      {"cummax_dim", "math and scan", false},
      {"log_add_exp", "math and scan", false},
      {"rotary_embedding", "math and scan", false},
      {"add_layer_norm", "normalisation", true},
      {"layer_norm", "normalisation", true},
      {"rms_norm", "normalisation", true},
      {"batch_norm", "normalisation", true},
      {"group_norm_swish", "normalisation", true},
      {"ada_layer_norm", "normalisation", false},
      {"local_response_norm", "normalisation", false},
      {"adamw", "optimizer", true},
      {"lion", "optimizer", false},
      {"lars", "optimizer", false},
      {"sum_dim", "reduce", true},
      {"max_over_middle", "reduce", true},
      {"prod_dim", "reduce", true},
      {"logsumexp_dim", "reduce", false},
      {"var_mean_dim", "reduce", false},
      {"max_pool2d", "pooling", true},
      {"adaptive_avg_pool2d", "pooling", false},
      {"lp_pool2d", "pooling", false},
      {"topk_middle", "index and sort", true},
      {"moe_gating", "index and sort", false},
      {"embedding_bag", "index and sort", false},
      {"mhc_pre", "mHC", true},
      {"mhc_post", "mHC", true},
      {"mhc_sinkhorn", "mHC", true, 0x1p-17},
      {"mhc_post_grad", "mHC", true},
  };
  return kernels;
}

const std::vector<ExpertLine>& ExpertLines() {
  static const std::vector<ExpertLine> lines = {
      {"swish", kTiny, "x=T[1]"},
      {"swish", kTiny, "x=T[0,3]"},
      {"swish", kAligned, "x=T[16,128]:normal,3 scale=1.7"},
      {"swish", kOdd, "x=T[7,131]:normal,3 scale=0.5"},
      {"swish", kLong, "x=T[65535]:normal,3"},

      {"softmax", kTiny, "x=T[1,1]"},
      {"softmax", kAligned, "x=T[16,128]:normal,4"},
      {"softmax", kOdd, "x=T[7,131]:normal,4"},
      {"softmax", kOdd, "x=T[1031,3]:normal,4"},
      {"softmax", kLong, "x=T[2,65535]:normal,4"},
      {"softmax", kLong, "x=T[2,65535]:masked,0.4"},

      {"log_softmax", kTiny, "x=T[1,1]"},
      {"log_softmax", kAligned, "x=T[16,128]:normal,4"},
      {"log_softmax", kOdd, "x=T[7,131]:normal,4"},
      {"log_softmax", kLong, "x=T[2,65535]:normal,4"},
      {"log_softmax", kLong, "x=T[2,65535]:masked,0.4"},

      {"gelu_forms", kTiny, "x=T[1]"},
      {"gelu_forms", kAligned, "x=T[16,128]:normal,3"},
      {"gelu_forms", kOdd, "x=T[7,131]:normal,3 approximate=tanh"},
      {"gelu_forms", kLong, "x=T[65535]:normal,3"},
      {"gelu_forms", kLong, "x=T[65535]:normal,3 approximate=tanh"},

      {"swiglu", kTiny, "x=T[1,2]"},
      {"swiglu", kAligned, "x=T[16,256]:normal,2"},
      {"swiglu", kOdd, "x=T[7,262]:normal,2"},
      {"swiglu", kOdd, "x=T[2,3,14]:normal,2"},
      {"swiglu", kLong, "x=T[1,131070]:normal,2"},

      {"elu", kTiny, "x=T[1]"},
      {"elu", kTiny, "x=T[3]:values,-inf,inf,nan"},
      {"elu", kAligned, "x=T[16,128]:normal,3"},
      {"elu", kOdd, "x=T[7,131]:normal,3 alpha=0.7"},
      {"elu", kLong, "x=T[65535]:normal,3"},

      {"mish", kTiny, "x=T[1]"},
      {"mish", kAligned, "x=T[16,128]:normal,3"},
      {"mish", kOdd, "x=T[7,131]:normal,20"},
      {"mish", kLong, "x=T[65535]:normal,3"},

      {"prelu", kTiny, "x=T[1,1] weight=T[1]"},
      {"prelu", kAligned, "x=T[2,4,8,16] weight=T[4]"},
      {"prelu", kOdd, "x=T[3,5,7,11] weight=T[5]"},
      {"prelu", kOdd, "x=T[7,131] weight=T[131]"},
      {"prelu", kLong, "x=T[1,1,65535] weight=T[1]"},

      {"cross_entropy", kTiny, "x=T[1,1] target=i32[1]:values,0"},
      {"cross_entropy", kAligned,
       "x=T[16,128]:normal,3 target=i64[16]:integers,0,127 weight=f32[128]"},
      {"cross_entropy", kOdd,
       "x=T[7,131]:normal,3 target=i32[7]:integers,0,130 smoothing=0.1 "
       "reduction=none"},
      {"cross_entropy", kOdd,
       "x=T[13,5]:normal,3 target=i64[13]:integers,0,4 reduction=sum "
       "ignore_index=2"},
      {"cross_entropy", kOdd,
       "x=T[70,131]:normal,3 target=i64[70]:integers,0,130 weight=f32[131] "
       "smoothing=0.2 ignore_index=7"},
      {"cross_entropy", kLong,
       "x=T[2,65535]:normal,3 target=i64[2]:integers,0,65534"},
      {"cross_entropy", kLong,
       "x=T[2,65535]:masked,0.4 target=i64[2]:values,65534,7"},

      {"mse_loss", kTiny, "predict=T[1] label=T[1]"},
      {"mse_loss", kAligned, "predict=T[16,128] label=T[16,128]"},
      {"mse_loss", kOdd, "predict=T[7,131] label=T[7,131] reduction=sum"},
      {"mse_loss", kLong, "predict=T[65535] label=T[65535]"},

      {"triplet_margin_loss", kTiny,
       "anchor=T[1,1] positive=T[1,1] negative=T[1,1]"},
      {"triplet_margin_loss", kAligned,
       "anchor=T[16,128] positive=T[16,128] negative=T[16,128]"},
      {"triplet_margin_loss", kOdd,
       "anchor=T[7,131] positive=T[7,131] negative=T[7,131] swap=true "
       "margin=2.5 reduction=none"},
      {"triplet_margin_loss", kOdd,
       "anchor=T[13,5] positive=T[13,5] negative=T[13,5] reduction=sum"},
      {"triplet_margin_loss", kLong,
       "anchor=T[2,65535] positive=T[2,65535] negative=T[2,65535]"},

      {"bce_with_logits", kTiny, "x=T[1] target=T[1]:uniform,0,1"},
      {"bce_with_logits", kAligned,
       "x=T[16,128]:normal,3 target=T[16,128]:mask,0.5"},
      {"bce_with_logits", kOdd,
       "x=T[7,131]:normal,9 target=T[7,131]:uniform,0,1 weight=T[7,131] "
       "pos_weight=2.5 reduction=sum"},
      {"bce_with_logits", kLong,
       "x=T[65535]:normal,3 target=T[65535]:mask,0.3"},

      {"focal_loss", kTiny, "x=T[1] target=T[1]:mask,1"},
      {"focal_loss", kAligned,
       "x=T[16,128]:normal,3 target=T[16,128]:mask,0.5"},
      {"focal_loss", kOdd,
       "x=T[7,131]:normal,3 target=T[7,131]:mask,0.2 gamma=1.5 alpha=0.6 "
       "reduction=sum"},
      {"focal_loss", kLong, "x=T[65535]:normal,3 target=T[65535]:mask,0.1"},

      {"cumsum_dim", kTiny, "x=T[1]"},
      {"cumsum_dim", kAligned, "x=T[4,32,16] dim=1"},
      {"cumsum_dim", kOdd, "x=T[7,131] reverse=true exclusive=true"},
      {"cumsum_dim", kOdd, "x=T[3,37,5] dim=-2 exclusive=true"},
      {"cumsum_dim", kLong, "x=T[2,65535]"},

      {"cumprod_dim", kTiny, "x=T[1]"},
      {"cumprod_dim", kAligned, "x=T[4,32,16]:uniform,0.5,1.6 dim=1"},
      {"cumprod_dim", kOdd, "x=T[7,131]:uniform,0.8,1.2"},
      {"cumprod_dim", kOdd, "x=T[37,3,5]:normal dim=0"},
      {"cumprod_dim", kLong, "x=T[1,65535]:uniform,0.99,1.01"},

      {"masked_cumsum", kTiny, "x=T[1,1] mask=bool[1,1]:mask,1"},
      {"masked_cumsum", kAligned, "x=T[16,128] mask=bool[16,128]:mask,0.6"},
      {"masked_cumsum", kOdd, "x=T[7,131] mask=bool[7,131]:mask,0.3"},
      {"masked_cumsum", kLong, "x=T[2,65535] mask=bool[2,65535]:mask,0.5"},

      {"cummax_dim", kTiny, "x=T[1]"},
      {"cummax_dim", kAligned, "x=T[4,32,16] dim=1"},
      {"cummax_dim", kOdd, "x=T[7,131] reverse=true"},
      {"cummax_dim", kOdd, "x=T[37,3,5] dim=0"},
      {"cummax_dim", kLong, "x=T[2,65535]"},

      {"log_add_exp", kTiny, "a=T[1] b=T[1]"},
      {"log_add_exp", kTiny,
       "a=T[5]:values,inf,-inf,-inf,2,nan b=T[5]:values,inf,-inf,3,2,1"},
      {"log_add_exp", kAligned, "a=T[16,128]:normal,9 b=T[16,128]:normal,9"},
      {"log_add_exp", kOdd, "a=T[7,131]:normal,9 b=T[7,131]:normal,9"},
      {"log_add_exp", kLong, "a=T[65535]:normal,2 b=T[65535]:normal,2"},

      {"rotary_embedding", kTiny, "x=T[1,1,1,2] cosine=f32[1,1] sine=f32[1,1]"},
      {"rotary_embedding", kAligned,
       "x=T[2,8,4,64] cosine=f32[8,32]:uniform,-1,1 "
       "sine=f32[8,32]:uniform,-1,1"},
      {"rotary_embedding", kOdd,
       "x=T[2,5,3,14] cosine=f32[5,7]:uniform,-1,1 sine=f32[5,7]:uniform,-1,1"},
      {"rotary_embedding", kLong,
       "x=T[1,1,1,131070] cosine=f32[1,65535]:uniform,-1,1 "
       "sine=f32[1,65535]:uniform,-1,1"},

      {"add_layer_norm", kTiny,
       "x1=T[1,1] x2=T[1,1] gamma=T[1] beta=T[1] eps=0.1"},
      {"add_layer_norm", kAligned,
       "x1=T[16,128] x2=T[16,128] gamma=T[128] beta=T[128]"},
      {"add_layer_norm", kOdd,
       "x1=T[7,131] x2=T[7,131] gamma=T[131] beta=T[131] bias=T[131]"},
      {"add_layer_norm", kLong,
       "x1=T[2,65535] x2=T[2,65535] gamma=T[65535] beta=T[65535]"},

      {"layer_norm", kTiny, "x=T[1,1] gamma=T[1] beta=T[1] epsilon=0.1"},
      {"layer_norm", kAligned, "x=T[4,4,128] gamma=T[128] beta=T[128]"},
      {"layer_norm", kOdd, "x=T[7,131]:uniform,9,10 gamma=T[131]"},
      {"layer_norm", kOdd, "x=T[263,5] epsilon=0.001"},
      {"layer_norm", kLong, "x=T[2,65535] gamma=T[65535] beta=T[65535]"},

      {"rms_norm", kTiny, "x=T[1,1] gamma=T[1] epsilon=0.1"},
      {"rms_norm", kAligned, "x=T[4,4,128] gamma=T[128]"},
      {"rms_norm", kOdd, "x=T[7,131] gamma=f32[131]"},
      {"rms_norm", kOdd, "x=T[263,5] gamma=T[5] epsilon=0.01"},
      {"rms_norm", kLong, "x=T[2,65535] gamma=T[65535]"},

      {"batch_norm", kTiny,
       "x=T[2,1] weight=T[1] bias=T[1] running_mean=f32[1] "
       "running_var=f32[1]:uniform,1,2 epsilon=0.1"},
      {"batch_norm", kAligned,
       "x=T[4,8,8,16] weight=T[8] bias=T[8] running_mean=f32[8] "
       "running_var=f32[8]:uniform,1,2"},
      {"batch_norm", kOdd,
       "x=T[3,5,7,11] weight=f32[5] bias=f32[5] running_mean=f32[5] "
       "running_var=f32[5]:uniform,1,2 momentum=0.3"},
      {"batch_norm", kOdd,
       "x=T[131,37] weight=T[37] bias=T[37] running_mean=f32[37] "
       "running_var=f32[37]:uniform,1,2"},
      {"batch_norm", kLong,
       "x=T[1,2,65535] weight=T[2] bias=T[2] running_mean=f32[2] "
       "running_var=f32[2]:uniform,1,2"},
      {"batch_norm", kLong,
       "x=T[2100,64] weight=T[64] bias=T[64] running_mean=f32[64] "
       "running_var=f32[64]:uniform,1,2"},
      {"batch_norm", kLong,
       "x=T[331,2,199] weight=T[2] bias=T[2] running_mean=f32[2] "
       "running_var=f32[2]:uniform,1,2"},

      {"group_norm_swish", kTiny,
       "x=T[1,1,1] gamma=T[1] beta=T[1] groups=1 eps=0.1"},
      {"group_norm_swish", kAligned,
       "x=T[2,8,8,16] gamma=T[8] beta=T[8] groups=4"},
      {"group_norm_swish", kOdd,
       "x=T[3,6,7,11] gamma=T[6] beta=T[6] groups=2 scale=1.3"},
      {"group_norm_swish", kOdd,
       "x=T[2,6,7,11] gamma=T[6] beta=T[6] groups=3 scale=0"},
      {"group_norm_swish", kOdd,
       "x=T[2,6,7,11] gamma=T[6] beta=T[6] groups=6 scale=-2"},
      {"group_norm_swish", kLong,
       "x=T[1,2,65535] gamma=T[2] beta=T[2] groups=1"},
      {"group_norm_swish", kLong,
       "x=T[1,66,31,33] gamma=T[66] beta=T[66] groups=1"},

      {"ada_layer_norm", kTiny,
       "x=T[1,1,1] scale=T[1,1] shift=T[1,1] epsilon=0.1"},
      {"ada_layer_norm", kAligned,
       "x=T[4,4,128] scale=T[4,128] shift=T[4,128]"},
      {"ada_layer_norm", kOdd, "x=T[3,5,131] scale=T[3,131] shift=T[3,131]"},
      {"ada_layer_norm", kLong,
       "x=T[1,2,65535] scale=T[1,65535] shift=T[1,65535]"},

      {"local_response_norm", kTiny, "x=T[1,1,1] size=1"},
      {"local_response_norm", kAligned, "x=T[2,8,8,16] size=5"},
      {"local_response_norm", kOdd,
       "x=T[3,7,5,11]:normal,3 size=4 alpha=0.5 beta=0.6 k=2"},
      {"local_response_norm", kLong, "x=T[1,3,65535] size=3"},

      {"adamw", kTiny,
       "var=T[1] m=T[1] v=T[1]:uniform,0,1 grad=T[1] step=f32[1]:values,0"},
      {"adamw", kAligned,
       "var=T[16,128] m=T[16,128] v=T[16,128]:uniform,0,1 grad=T[16,128] "
       "step=i64[1]:values,9"},
      {"adamw", kOdd,
       "var=T[7,131] m=T[7,131] v=T[7,131]:uniform,0,1 grad=T[7,131] "
       "step=i64[1]:values,3 max_grad_norm=T[7,131]:uniform,0,2 lr=0.3 "
       "beta1=0.5 beta2=0.7 eps=0.01 weight_decay=0.1 maximize=true"},
      {"adamw", kLong,
       "var=T[65535] m=T[65535] v=T[65535]:uniform,0,1 grad=T[65535] "
       "step=f32[1]:values,100"},

      {"lion", kTiny, "var=T[1] m=T[1] grad=T[1]"},
      {"lion", kAligned, "var=T[16,128] m=T[16,128] grad=T[16,128] lr=0.1"},
      {"lion", kOdd,
       "var=T[7,131] m=T[7,131] grad=T[7,131] lr=0.3 weight_decay=0.2 "
       "beta1=0.7 beta2=0.6"},
      {"lion", kLong, "var=T[65535] m=T[65535] grad=T[65535]"},

      {"lars", kTiny, "var=T[1] velocity=T[1] grad=T[1]"},
      {"lars", kAligned, "var=T[16,128] velocity=T[16,128] grad=T[16,128]"},
      {"lars", kOdd,
       "var=T[7,131] velocity=T[7,131] grad=T[7,131] lr=0.5 momentum=0.6 "
       "weight_decay=0.1 trust=0.2"},
      {"lars", kLong, "var=T[65535] velocity=T[65535] grad=T[65535]"},

      {"sum_dim", kTiny, "x=T[1]"},
      {"sum_dim", kAligned, "x=T[4,32,16] dim=1"},
      {"sum_dim", kOdd, "x=T[7,131] mean=true"},
      {"sum_dim", kOdd, "x=T[37,3,5] dim=0 mean=true"},
      {"sum_dim", kLong, "x=T[2,65535]"},
      {"sum_dim", kLong, "x=T[1,65535,2] dim=1"},

      {"max_over_middle", kTiny, "x=T[1,1,1]"},
      {"max_over_middle", kAligned, "x=T[4,32,16]"},
      {"max_over_middle", kOdd, "x=T[3,37,131]"},
      {"max_over_middle", kLong, "x=T[1,2,65535]"},
      {"max_over_middle", kLong, "x=T[1,65535,1]"},

      {"prod_dim", kTiny, "x=T[1]"},
      {"prod_dim", kAligned, "x=T[4,32,16]:uniform,0.5,1.6 dim=1"},
      {"prod_dim", kOdd, "x=T[7,131]:uniform,0.8,1.2"},
      {"prod_dim", kOdd, "x=T[37,3,5]:normal dim=0"},
      {"prod_dim", kLong, "x=T[2,65535]:uniform,0.99,1.01"},
      {"prod_dim", kLong, "x=T[4099,31]:uniform,0.99,1.01 dim=0"},

      {"logsumexp_dim", kTiny, "x=T[1]"},
      {"logsumexp_dim", kAligned, "x=T[4,32,16]:normal,4 dim=1"},
      {"logsumexp_dim", kOdd, "x=T[7,131]:normal,4"},
      {"logsumexp_dim", kOdd, "x=T[37,3,5]:normal,4 dim=0"},
      {"logsumexp_dim", kLong, "x=T[2,65535]:normal,4"},
      {"logsumexp_dim", kLong, "x=T[2,65535]:masked,0.4"},
      {"logsumexp_dim", kLong, "x=T[65535,2]:masked,0.4 dim=0"},

      {"var_mean_dim", kTiny, "x=T[1] correction=0"},
      {"var_mean_dim", kAligned, "x=T[4,32,16] dim=1"},
      {"var_mean_dim", kOdd, "x=T[7,131]:uniform,9,10"},
      {"var_mean_dim", kOdd, "x=T[37,3,5] dim=0 correction=0"},
      {"var_mean_dim", kLong, "x=T[2,65535]"},
      {"var_mean_dim", kLong, "x=T[4099,31]:uniform,9,10 dim=0"},

      {"max_pool2d", kTiny, "x=T[1,1,1,1] k=1 s=1 p=0"},
      {"max_pool2d", kAligned, "x=T[2,4,16,32] k=2 s=2 p=0"},
      {"max_pool2d", kOdd, "x=T[1,2,13,67] k=5 s=2 p=2"},
      {"max_pool2d", kLong, "x=T[1,1,2,65535] k=2 s=1 p=1"},

      {"adaptive_avg_pool2d", kTiny, "x=T[1,1,1,1] OH=1 OW=1"},
      {"adaptive_avg_pool2d", kAligned, "x=T[2,4,16,32] OH=4 OW=8"},
      {"adaptive_avg_pool2d", kOdd, "x=T[1,2,13,67] OH=5 OW=7"},
      {"adaptive_avg_pool2d", kOdd, "x=T[1,1,3,5] OH=7 OW=11"},
      {"adaptive_avg_pool2d", kLong, "x=T[1,1,2,65535] OH=1 OW=4099"},

      {"lp_pool2d", kTiny, "x=T[1,1,1,1] k=1 s=1"},
      {"lp_pool2d", kAligned, "x=T[2,4,16,32] k=2 s=2"},
      {"lp_pool2d", kOdd, "x=T[1,2,13,67] k=3 s=2 p=3"},
      {"lp_pool2d", kLong, "x=T[1,1,2,65535] k=2 s=1"},

      {"topk_middle", kTiny, "x=T[1,1,1] k=1"},
      {"topk_middle", kAligned, "x=T[2,64,32] k=8"},
      {"topk_middle", kOdd, "x=T[3,37,13] k=5 largest=false"},
      {"topk_middle", kLong, "x=T[1,65535,1] k=7"},

      {"moe_gating", kTiny, "x=T[1,1] k=1"},
      {"moe_gating", kAligned, "x=T[64,32] k=8"},
      {"moe_gating", kOdd, "x=T[7,131] k=6 renormalise=true"},
      {"moe_gating", kLong, "x=T[4099,16] k=2 renormalise=true"},

      {"embedding_bag", kTiny,
       "table=T[1,1] words=i32[1]:values,0 starts=i32[1]:values,0"},
      {"embedding_bag", kAligned,
       "table=T[50,64] words=i64[40]:integers,0,49 "
       "starts=i64[4]:values,0,8,16,32 mode=sum"},
      {"embedding_bag", kOdd,
       "table=T[31,131] words=i32[37]:integers,0,30 "
       "starts=i32[5]:values,0,7,7,20,36"},
      {"embedding_bag", kOdd,
       "table=T[31,5] words=i32[37]:integers,0,30 "
       "starts=i32[5]:values,0,7,7,20,36 mode=max"},
      {"embedding_bag", kLong,
       "table=T[3,65535] words=i64[5]:integers,0,2 starts=i64[2]:values,0,2"},

      {"mhc_pre", kTiny, "x=T[1,1,1] h_pre=f32[1,1]"},
      {"mhc_pre", kAligned, "x=T[8,4,128] h_pre=f32[8,4]:uniform,0,1"},
      {"mhc_pre", kOdd, "x=T[7,5,131] h_pre=f32[7,5]:uniform,0,1"},
      {"mhc_pre", kLong, "x=T[1,4,65535] h_pre=f32[1,4]:uniform,0,1"},

      {"mhc_post", kTiny,
       "x=T[1,1,1] f=T[1,1] h_post=f32[1,1] h_res=f32[1,1,1]"},
      {"mhc_post", kAligned,
       "x=T[8,4,128] f=T[8,128] h_post=f32[8,4]:uniform,0,2 "
       "h_res=f32[8,4,4]:uniform,0,1"},
      {"mhc_post", kOdd,
       "x=T[7,5,131] f=T[7,131] h_post=f32[7,5]:uniform,0,2 "
       "h_res=f32[7,5,5]:uniform,0,1"},
      {"mhc_post", kLong,
       "x=T[1,4,65535] f=T[1,65535] h_post=f32[1,4]:uniform,0,2 "
       "h_res=f32[1,4,4]:uniform,0,1"},

      {"mhc_sinkhorn", kTiny, "x=f32[1,2,2] iterations=1 eps=0.01"},
      {"mhc_sinkhorn", kAligned, "x=f32[64,4,4]"},
      {"mhc_sinkhorn", kOdd, "x=f32[13,3,3]:normal,3 iterations=5"},
      {"mhc_sinkhorn", kLong, "x=f32[4099,4,4]"},

      {"mhc_post_grad", kTiny,
       "dy=T[1,1,1] x=T[1,1,1] f=T[1,1] h_post=f32[1,1] h_res=f32[1,1,1]"},
      {"mhc_post_grad", kAligned,
       "dy=T[8,4,128] x=T[8,4,128] f=T[8,128] h_post=f32[8,4]:uniform,0,2 "
       "h_res=f32[8,4,4]:uniform,0,1"},
      {"mhc_post_grad", kOdd,
       "dy=T[7,5,131] x=T[7,5,131] f=T[7,131] h_post=f32[7,5]:uniform,0,2 "
       "h_res=f32[7,5,5]:uniform,0,1"},
      {"mhc_post_grad", kLong,
       "dy=T[1,4,65535] x=T[1,4,65535] f=T[1,65535] "
       "h_post=f32[1,4]:uniform,0,2 h_res=f32[1,4,4]:uniform,0,1"},
  };
  return lines;
}

}  // namespace belay::testing
