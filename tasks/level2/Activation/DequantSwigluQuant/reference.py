from typing import Optional, Tuple

import torch


def compute(x: torch.Tensor, weight_scale: Optional[torch.Tensor], activation_scale: Optional[torch.Tensor], bias: Optional[torch.Tensor], quant_scale: Optional[torch.Tensor], quant_offset: Optional[torch.Tensor], group_index: Optional[torch.Tensor], activate_left: bool, quant_mode: str, like: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    rows = x.shape[0]
    group = torch.zeros([rows], dtype=torch.int64)
    if group_index is not None:
        group = torch.repeat_interleave(torch.arange(group_index.shape[0]), group_index)
    v = x.to(like.dtype)
    if bias is not None:
        v = v + bias.to(like.dtype)
    if weight_scale is not None:
        v = v * weight_scale.to(like.dtype)[group]
    if activation_scale is not None:
        v = v * activation_scale.to(like.dtype).unsqueeze(1)
    first, second = torch.chunk(v, 2, 1)
    a = first if activate_left else second
    b = second if activate_left else first
    w = a * torch.sigmoid(a) * b
    scale = torch.ones([rows], dtype=like.dtype)
    if quant_mode == "static":
        if quant_scale is not None:
            w = w / quant_scale.to(like.dtype)[group]
        if quant_offset is not None:
            w = w + quant_offset.to(like.dtype)[group]
    else:
        if quant_scale is not None:
            w = w * quant_scale.to(like.dtype)[group]
        scale = torch.amax(torch.abs(w), 1) / 127.0
        w = w / scale.unsqueeze(1)
    return torch.clamp(torch.round(w), -128.0, 127.0).to(torch.int64), scale


def reference(x: torch.Tensor, weight_scale: Optional[torch.Tensor], activation_scale: Optional[torch.Tensor], bias: Optional[torch.Tensor], quant_scale: Optional[torch.Tensor], quant_offset: Optional[torch.Tensor], group_index: Optional[torch.Tensor], activate_left: bool, quant_mode: str) -> Tuple[torch.Tensor, torch.Tensor]:
    return compute(x, weight_scale, activation_scale, bias, quant_scale, quant_offset, group_index, activate_left, quant_mode, torch.zeros([], dtype=torch.float64))


def eager(x: torch.Tensor, weight_scale: Optional[torch.Tensor], activation_scale: Optional[torch.Tensor], bias: Optional[torch.Tensor], quant_scale: Optional[torch.Tensor], quant_offset: Optional[torch.Tensor], group_index: Optional[torch.Tensor], activate_left: bool, quant_mode: str) -> Tuple[torch.Tensor, torch.Tensor]:
    y, scale = compute(x, weight_scale, activation_scale, bias, quant_scale, quant_offset, group_index, activate_left, quant_mode, torch.zeros([], dtype=torch.float32))
    return y.to(torch.int8), scale
