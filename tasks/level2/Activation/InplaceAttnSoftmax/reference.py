import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    if x.numel() == 0:
        return x.clone()
    powers = torch.exp(x - torch.amax(x, -1, True))
    return powers / torch.sum(powers, -1, True)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.softmax(x, -1)
