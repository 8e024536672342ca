import torch


def reference(start: torch.Tensor, end: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return start + weight * (end - start)


def eager(start: torch.Tensor, end: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.lerp(start, end, weight)


def scale(start: torch.Tensor, end: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.abs(start) + torch.abs(weight) * (torch.abs(end) + torch.abs(start))
