import torch


def reference(x: torch.Tensor, clip_value_min: torch.Tensor, clip_value_max: torch.Tensor) -> torch.Tensor:
    return torch.minimum(torch.maximum(x, clip_value_min[0]), clip_value_max[0])


def eager(x: torch.Tensor, clip_value_min: torch.Tensor, clip_value_max: torch.Tensor) -> torch.Tensor:
    return torch.minimum(torch.maximum(x, clip_value_min[0]), clip_value_max[0])
