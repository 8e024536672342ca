import torch


def fast_gelu(x: torch.Tensor) -> torch.Tensor:
    magnitude = torch.abs(x)
    return x * torch.exp(0.851 * (x - magnitude)) / (1.0 + torch.exp(-1.702 * magnitude))


def reference(x: torch.Tensor) -> torch.Tensor:
    return fast_gelu(x)


def eager(x: torch.Tensor) -> torch.Tensor:
    return fast_gelu(x)
