// SPDX-License-Identifier: Apache-2.0
#include "bench/import_modules.h"

namespace belay::bench {
namespace {

const std::vector<ModuleCall>& Modules() {
  static const std::vector<ModuleCall> kModules = {
      {"AvgPool1d",
       {{"kernel_size", ""}, {"stride", "{kernel_size}"}, {"padding", "0"}},
       "F.avg_pool1d({}, {kernel_size}, {stride}, {padding})"},
      {"AvgPool2d",
       {{"kernel_size", ""}, {"stride", "{kernel_size}"}, {"padding", "0"}},
       "F.avg_pool2d({}, {kernel_size}, {stride}, {padding})"},
      {"AvgPool3d",
       {{"kernel_size", ""}, {"stride", "{kernel_size}"}, {"padding", "0"}},
       "F.avg_pool3d({}, {kernel_size}, {stride}, {padding})"},
      {"BatchNorm1d",
       {{"num_features", ""}, {"eps", "1e-05"}},
       "F.batch_norm({}, None, None, None, None, True, 0.1, {eps})"},
      {"BatchNorm2d",
       {{"num_features", ""}, {"eps", "1e-05"}},
       "F.batch_norm({}, None, None, None, None, True, 0.1, {eps})"},
      {"BatchNorm3d",
       {{"num_features", ""}, {"eps", "1e-05"}},
       "F.batch_norm({}, None, None, None, None, True, 0.1, {eps})"},
      {"ELU", {{"alpha", "1.0"}}, "F.elu({}, {alpha})"},
      {"Flatten",
       {{"start_dim", "1"}, {"end_dim", "-1"}},
       "torch.flatten({}, {start_dim}, {end_dim})"},
      {"GELU", {}, "F.gelu({})"},
      {"GroupNorm",
       {{"num_groups", ""}, {"num_channels", ""}, {"eps", "1e-05"}},
       "F.group_norm({}, {num_groups}, None, None, {eps})"},
      {"Hardsigmoid", {}, "F.hardsigmoid({})"},
      {"Hardswish", {}, "F.hardswish({})"},
      {"Hardtanh",
       {{"min_val", "-1.0"}, {"max_val", "1.0"}},
       "F.hardtanh({}, {min_val}, {max_val})"},
      {"Identity", {}, "({})"},
      {"InstanceNorm1d",
       {{"num_features", ""}, {"eps", "1e-05"}},
       "F.instance_norm({}, None, None, None, None, True, 0.1, {eps})"},
      {"InstanceNorm2d",
       {{"num_features", ""}, {"eps", "1e-05"}},
       "F.instance_norm({}, None, None, None, None, True, 0.1, {eps})"},
      {"LayerNorm",
       {{"normalized_shape", ""}, {"eps", "1e-05"}},
       "F.layer_norm({}, {normalized_shape}, None, None, {eps})"},
      {"LeakyReLU",
       {{"negative_slope", "0.01"}},
       "F.leaky_relu({}, {negative_slope})"},
      {"LogSigmoid", {}, "F.logsigmoid({})"},
      {"LogSoftmax", {{"dim", ""}}, "F.log_softmax({}, {dim})"},
      {"MaxPool1d",
       {{"kernel_size", ""},
        {"stride", "{kernel_size}"},
        {"padding", "0"},
        {"dilation", "1"}},
       "F.max_pool1d({}, {kernel_size}, {stride}, {padding}, {dilation})"},
      {"MaxPool2d",
       {{"kernel_size", ""},
        {"stride", "{kernel_size}"},
        {"padding", "0"},
        {"dilation", "1"}},
       "F.max_pool2d({}, {kernel_size}, {stride}, {padding}, {dilation})"},
      {"MaxPool3d",
       {{"kernel_size", ""},
        {"stride", "{kernel_size}"},
        {"padding", "0"},
        {"dilation", "1"}},
       "F.max_pool3d({}, {kernel_size}, {stride}, {padding}, {dilation})"},
      {"Mish", {}, "F.mish({})"},
      {"MSELoss", {}, "F.mse_loss({})"},
      {"L1Loss", {}, "F.l1_loss({})"},
      {"ReLU", {}, "F.relu({})"},
      {"ReLU6", {}, "F.relu6({})"},
      {"SELU", {}, "F.selu({})"},
      {"SiLU", {}, "F.silu({})"},
      {"Sigmoid", {}, "torch.sigmoid({})"},
      {"Softmax", {{"dim", ""}}, "F.softmax({}, {dim})"},
      {"Softplus",
       {{"beta", "1.0"}, {"threshold", "20.0"}},
       "F.softplus({}, {beta}, {threshold})"},
      {"Softsign", {}, "F.softsign({})"},
      {"Tanh", {}, "torch.tanh({})"},
      {"TripletMarginLoss",
       {{"margin", "1.0"}, {"p", "2.0"}, {"eps", "1e-06"}},
       "F.triplet_margin_loss({}, {margin}, {p}, {eps})"},
  };
  return kModules;
}

}  // namespace

const ModuleCall* FindModule(std::string_view name) {
  for (const ModuleCall& module : Modules()) {
    if (module.module == name) return &module;
  }
  return nullptr;
}

std::string ModuleNames() {
  std::string names;
  for (const ModuleCall& module : Modules()) {
    names += names.empty() ? "" : ", ";
    names += module.module;
  }
  return names;
}

}  // namespace belay::bench
