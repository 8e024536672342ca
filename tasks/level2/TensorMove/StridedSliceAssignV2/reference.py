from typing import Optional

import torch


def assign(var: torch.Tensor, input_value: torch.Tensor, begin: torch.Tensor, end: torch.Tensor, strides: torch.Tensor, axes: Optional[torch.Tensor]) -> torch.Tensor:
    # Which flat element of var each element of input_value replaces.
    place = torch.arange(var.numel()).reshape(var.shape)
    for i in range(begin.shape[0]):
        axis = i
        if axes is not None:
            axis = int(axes[i])
        place = torch.index_select(place, axis, torch.arange(int(begin[i]), int(end[i]), int(strides[i])))
    y = var.clone().reshape([-1])
    y[place.reshape([-1])] = input_value.reshape([-1])
    return y.reshape(var.shape)


def reference(var: torch.Tensor, input_value: torch.Tensor, begin: torch.Tensor, end: torch.Tensor, strides: torch.Tensor, axes: Optional[torch.Tensor]) -> torch.Tensor:
    return assign(var, input_value, begin, end, strides, axes)


def eager(var: torch.Tensor, input_value: torch.Tensor, begin: torch.Tensor, end: torch.Tensor, strides: torch.Tensor, axes: Optional[torch.Tensor]) -> torch.Tensor:
    return assign(var, input_value, begin, end, strides, axes)
