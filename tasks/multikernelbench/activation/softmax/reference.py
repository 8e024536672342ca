import torch
import torch.nn.functional as F


def shift(x: torch.Tensor) -> torch.Tensor:
    if x.numel() == 0:
        return x.clone()
    return torch.exp(x - torch.amax(x, 1, True))


def reference(x: torch.Tensor) -> torch.Tensor:
    return shift(x) / torch.sum(shift(x), 1, True)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.softmax(x, 1)
