import torch


def reference(input: torch.Tensor, mulscalar1: torch.Tensor, mulscalar2: torch.Tensor, addscalar3: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(input * mulscalar1[0]) * mulscalar2[0] + addscalar3[0]


def eager(input: torch.Tensor, mulscalar1: torch.Tensor, mulscalar2: torch.Tensor, addscalar3: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(input * mulscalar1[0]) * mulscalar2[0] + addscalar3[0]


def scale(input: torch.Tensor, mulscalar1: torch.Tensor, mulscalar2: torch.Tensor, addscalar3: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(input * mulscalar1[0]) * torch.abs(mulscalar2[0]) + torch.abs(addscalar3[0])
