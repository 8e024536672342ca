import torch
import torch.nn.functional as F


def reduce(d: torch.Tensor, reduction: str) -> torch.Tensor:
    if reduction == "mean":
        return torch.mean(d)
    if reduction == "sum":
        return torch.sum(d)
    return d


def reference(predict: torch.Tensor, label: torch.Tensor, reduction: str) -> torch.Tensor:
    return reduce((predict - label) * (predict - label), reduction)


def eager(predict: torch.Tensor, label: torch.Tensor, reduction: str) -> torch.Tensor:
    return F.mse_loss(predict, label, reduction=reduction)


def scale(predict: torch.Tensor, label: torch.Tensor, reduction: str) -> torch.Tensor:
    return reduce((torch.abs(predict) + torch.abs(label)) * torch.abs(predict - label), reduction)
