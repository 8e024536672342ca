import torch


def count(start: float, end: float, step: float) -> int:
    return int(torch.ceil(torch.tensor((end - start) / step, dtype=torch.float64)))


def sequence(start: float, end: float, step: float, dtype: int) -> torch.Tensor:
    i = torch.arange(count(start, end, step))
    if dtype == 3 or dtype == 9:
        return int(start) + i * int(step)
    return start + i.to(torch.float64) * step


def reference(start: float, end: float, step: float, dtype: int) -> torch.Tensor:
    return sequence(start, end, step, dtype)


def eager(start: float, end: float, step: float, dtype: int) -> torch.Tensor:
    y = sequence(start, end, step, dtype)
    if dtype == 3:
        return y.to(torch.int32)
    return y if dtype == 9 else y.to(torch.float32)
