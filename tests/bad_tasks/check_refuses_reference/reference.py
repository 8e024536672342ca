import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return -x


def eager(x: torch.Tensor) -> torch.Tensor:
    return -x


def check(x: torch.Tensor, y: torch.Tensor) -> str:
    if not torch.equal(x, y):
        return "y is not x"
    return ""
