import torch


def reference(dims: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    shape = [int(n) for n in dims]
    return value.expand([1]).reshape([]).expand(shape).clone()


def eager(dims: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    shape = [int(n) for n in dims]
    return value.reshape([]).expand(shape).clone()
