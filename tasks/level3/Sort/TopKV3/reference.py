from typing import Tuple

import torch


def reference(x: torch.Tensor, k: torch.Tensor, sorted: bool, dim: int, largest: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    return torch.topk(x, int(k[0]), dim, largest, True)


def eager(x: torch.Tensor, k: torch.Tensor, sorted: bool, dim: int, largest: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    values, indices = torch.topk(x, int(k[0]), dim, largest, sorted)
    return values, indices.to(torch.int32)


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    return bool(torch.all((a == b) | (torch.isnan(a) & torch.isnan(b))))


def check(x: torch.Tensor, k: torch.Tensor, sorted: bool, dim: int, largest: bool, values: torch.Tensor, indices: torch.Tensor) -> str:
    size = x.shape[dim]
    if bool(torch.any((indices < 0) | (indices >= size))):
        return "an index lies outside the axis"
    if not same(torch.gather(x, dim, indices), values):
        return "values are not the elements at indices"
    ordered = torch.sort(indices, dim)[0]
    n = indices.shape[dim]
    if n > 1:
        if bool(torch.any(ordered.narrow(dim, 1, n - 1) == ordered.narrow(dim, 0, n - 1))):
            return "an index occurs twice"
    best = torch.topk(x, int(k[0]), dim, largest, True)[0]
    given = values
    if not sorted:
        given = torch.topk(values, int(k[0]), dim, largest, True)[0]
    if not same(given, best):
        return "other elements are larger, or the order is wrong" if largest else "other elements are smaller, or the order is wrong"
    return ""
