import torch


def reference(x: torch.Tensor, h_pre: torch.Tensor) -> torch.Tensor:
    return torch.sum(h_pre.unsqueeze(2) * x, 1)


def eager(x: torch.Tensor, h_pre: torch.Tensor) -> torch.Tensor:
    return torch.einsum("tn,tnc->tc", [h_pre, x])
