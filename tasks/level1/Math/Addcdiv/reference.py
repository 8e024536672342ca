import torch


def reference(input_data: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, value: float) -> torch.Tensor:
    return input_data + torch.full([], value, dtype=x1.dtype) * (x1 / x2)


def eager(input_data: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, value: float) -> torch.Tensor:
    return torch.addcdiv(input_data, x1, x2, value=value)


def scale(input_data: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, value: float) -> torch.Tensor:
    return torch.abs(input_data) + torch.abs(torch.full([], value, dtype=x1.dtype) * (x1 / x2))
