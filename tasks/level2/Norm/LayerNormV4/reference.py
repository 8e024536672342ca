from typing import List, Optional, Tuple

import torch


def affine(h: torch.Tensor, gamma: Optional[torch.Tensor], beta: Optional[torch.Tensor]) -> torch.Tensor:
    if gamma is not None:
        h = h * gamma
    if beta is not None:
        h = h + beta
    return h


def axes(normalized_shape: torch.Tensor) -> List[int]:
    return [-1 - i for i in range(normalized_shape.shape[0])]


def reference(x: torch.Tensor, normalized_shape: torch.Tensor, gamma: Optional[torch.Tensor], beta: Optional[torch.Tensor], epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dims = axes(normalized_shape)
    mean = torch.mean(x, dims, True)
    centred = x - mean
    rstd = 1.0 / torch.sqrt(torch.mean(centred * centred, dims, True) + epsilon)
    return affine(centred * rstd, gamma, beta), mean, rstd


def eager(x: torch.Tensor, normalized_shape: torch.Tensor, gamma: Optional[torch.Tensor], beta: Optional[torch.Tensor], epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    width = [int(n) for n in normalized_shape]
    return torch.native_layer_norm(x, width, gamma, beta, epsilon)


def scale(x: torch.Tensor, normalized_shape: torch.Tensor, gamma: Optional[torch.Tensor], beta: Optional[torch.Tensor], epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    dims = axes(normalized_shape)
    centred = x - torch.mean(x, dims, True)
    rstd = 1.0 / torch.sqrt(torch.mean(centred * centred, dims, True) + epsilon)
    mean = torch.mean(torch.abs(x), dims, True)
    size = (torch.abs(x) + mean) * rstd
    if gamma is not None:
        size = size * torch.abs(gamma)
    if beta is not None:
        size = size + torch.abs(beta)
    return size, mean, rstd
