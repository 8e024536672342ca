import torch


def factor(predict: torch.Tensor, reduction: str) -> float:
    return 2.0 / float(max(predict.numel(), 1)) if reduction == "mean" else 2.0


def spread(dout: torch.Tensor, reduction: str) -> torch.Tensor:
    return dout if reduction == "none" else dout[0]


def reference(predict: torch.Tensor, label: torch.Tensor, dout: torch.Tensor, reduction: str) -> torch.Tensor:
    return factor(predict, reduction) * (predict - label) * spread(dout, reduction)


def eager(predict: torch.Tensor, label: torch.Tensor, dout: torch.Tensor, reduction: str) -> torch.Tensor:
    return factor(predict, reduction) * (predict - label) * spread(dout, reduction)


def scale(predict: torch.Tensor, label: torch.Tensor, dout: torch.Tensor, reduction: str) -> torch.Tensor:
    return factor(predict, reduction) * (torch.abs(predict) + torch.abs(label)) * torch.abs(spread(dout, reduction))
