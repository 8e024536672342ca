import torch


def convert(x: torch.Tensor, dst_type: int, like: torch.Tensor) -> torch.Tensor:
    if dst_type == 12:
        return x != 0
    if dst_type == 0 or dst_type == 1 or dst_type == 27:
        return x.to(like.dtype)
    if x.is_floating_point():
        return torch.trunc(x).to(torch.int64)
    return x.to(torch.int64)


def reference(x: torch.Tensor, dst_type: int) -> torch.Tensor:
    return convert(x, dst_type, torch.zeros([], dtype=torch.float64))


def eager(x: torch.Tensor, dst_type: int) -> torch.Tensor:
    y = convert(x, dst_type, torch.zeros([], dtype=torch.float32))
    if dst_type == 2:
        return y.to(torch.int8)
    if dst_type == 3:
        return y.to(torch.int32)
    return y
