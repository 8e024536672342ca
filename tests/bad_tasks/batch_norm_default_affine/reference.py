import torch


def reference(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return (x - x.mean(0)) / torch.sqrt(x.var(0, False) + 1e-5) * gamma + beta


def eager(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return (x - x.mean(0)) / torch.sqrt(x.var(0, False) + 1e-5) * gamma + beta
