import torch


def reference(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return x - 0.01 * x / (torch.sqrt(z + x * x) + 1e-10)


def eager(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return x - 0.01 * x / (torch.sqrt(z + x * x) + 1e-10)
