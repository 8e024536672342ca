from typing import List

import torch


def products(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor, per_token_scale: torch.Tensor, groupList: torch.Tensor) -> torch.Tensor:
    parts: List[torch.Tensor] = []
    first = 0
    for g in range(groupList.shape[0]):
        last = int(groupList[g])
        part = torch.matmul(a[first:last], b[g])
        part = part * scale[g] * per_token_scale[first:last].unsqueeze(1)
        parts.append(part)
        first = last
    return torch.cat(parts)


def reference(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor, per_token_scale: torch.Tensor, groupList: torch.Tensor) -> torch.Tensor:
    return products(a.to(scale.dtype), b.to(scale.dtype), scale, per_token_scale, groupList)


def eager(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor, per_token_scale: torch.Tensor, groupList: torch.Tensor) -> torch.Tensor:
    return products(a.to(torch.float64), b.to(torch.float64), scale.to(torch.float64), per_token_scale.to(torch.float64), groupList).to(scale.dtype)
