from typing import List, Optional, Tuple

import torch


def prepare(var: List[torch.Tensor], indice: torch.Tensor, updates: torch.Tensor, mask: Optional[torch.Tensor], reduce: str, axis: int) -> Tuple[List[torch.Tensor], torch.Tensor, torch.Tensor, Optional[torch.Tensor]]:
    # Starts wherever the piece fits.
    pieces = indice.clone()
    room = var[0].shape[axis] - pieces[:, 1]
    pieces[:, 0] = (pieces[:, 0] * 7919 + torch.arange(pieces.shape[0])) % (room + 1)
    return var, pieces, updates, mask


def scatter(var: List[torch.Tensor], indice: torch.Tensor, updates: torch.Tensor, mask: Optional[torch.Tensor], reduce: str, axis: int) -> List[torch.Tensor]:
    result: List[torch.Tensor] = []
    for i in range(len(var)):
        y = var[i].clone()
        taken = True
        if mask is not None:
            taken = bool(mask[i] != 0)
        if taken:
            length = int(indice[i, 1])
            y.narrow(axis, int(indice[i, 0]), length).copy_(updates[i].narrow(axis, 0, length))
        result.append(y)
    return result


def reference(var: List[torch.Tensor], indice: torch.Tensor, updates: torch.Tensor, mask: Optional[torch.Tensor], reduce: str, axis: int) -> List[torch.Tensor]:
    return scatter(var, indice, updates, mask, reduce, axis)


def eager(var: List[torch.Tensor], indice: torch.Tensor, updates: torch.Tensor, mask: Optional[torch.Tensor], reduce: str, axis: int) -> List[torch.Tensor]:
    return scatter(var, indice, updates, mask, reduce, axis)
