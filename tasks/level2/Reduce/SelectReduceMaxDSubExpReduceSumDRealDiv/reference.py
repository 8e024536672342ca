import torch
import torch.nn.functional as F


def reference(sel: torch.Tensor, input1: torch.Tensor, input2: torch.Tensor) -> torch.Tensor:
    s = torch.where(sel, input1, input2)
    if s.numel() == 0:
        return s
    powers = torch.exp(s - torch.amax(s, -1, True))
    return powers / torch.sum(powers, -1, True)


def eager(sel: torch.Tensor, input1: torch.Tensor, input2: torch.Tensor) -> torch.Tensor:
    return F.softmax(torch.where(sel, input1, input2), -1)
