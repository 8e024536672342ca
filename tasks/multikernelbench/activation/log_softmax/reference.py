import torch
import torch.nn.functional as F


def shift(x: torch.Tensor) -> torch.Tensor:
    if x.numel() == 0:
        return x.clone()
    return torch.exp(x - torch.amax(x, 1, True))


def reference(x: torch.Tensor) -> torch.Tensor:
    return x - torch.amax(x, 1, True) - torch.log(torch.sum(shift(x), 1, True)) if x.numel() > 0 else x.clone()


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.log_softmax(x, 1)


def scale(x: torch.Tensor) -> torch.Tensor:
    if x.numel() == 0:
        return x.clone()
    lse = torch.amax(x, 1, True) + torch.log(torch.sum(shift(x), 1, True))
    return torch.abs(x) + torch.abs(lse)
