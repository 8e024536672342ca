import torch


def count(start: float, end: float, step: float) -> int:
    return int(torch.ceil(torch.tensor((end - start) / step, dtype=torch.float64)))


def reference(start: float, end: float, step: float) -> torch.Tensor:
    i = torch.arange(count(start, end, step)).to(torch.float64)
    return start + i * step


def eager(start: float, end: float, step: float) -> torch.Tensor:
    i = torch.arange(count(start, end, step)).to(torch.float64)
    return start + i * step
