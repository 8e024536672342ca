import torch


def reference(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return x - 0.01 * x / (torch.sqrt(0.99 * z + 0.01 * x * x) + 1e-8)


def eager(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return x - 0.01 * x / (torch.sqrt(0.99 * z + 0.01 * x * x) + 1e-8)
