import torch


def gradient(dy: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    s = torch.sigmoid(1.702 * x)
    return dy * (s + 1.702 * x * s * (1.0 - s))


def reference(dy: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return gradient(dy, x)


def eager(dy: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return gradient(dy, x)


def scale(dy: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    s = torch.sigmoid(1.702 * x)
    return torch.abs(dy) * (s + 1.702 * torch.abs(x) * s * (1.0 - s))
