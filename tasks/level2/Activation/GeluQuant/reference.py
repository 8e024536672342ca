import math
from typing import Optional, Tuple

import torch
import torch.nn.functional as F


def gelu(x: torch.Tensor, approximate: str) -> torch.Tensor:
    if approximate == "none":
        return 0.5 * x * torch.erfc(-x / math.sqrt(2.0))
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))


def quantise(g: torch.Tensor, input_scale: Optional[torch.Tensor], input_offset: Optional[torch.Tensor], quant_mode: str) -> Tuple[torch.Tensor, torch.Tensor]:
    if input_scale is not None:
        g = g * input_scale
    rows = torch.ones(g.shape[:-1], dtype=g.dtype)
    if quant_mode == "dynamic":
        if g.numel() > 0:
            rows = torch.amax(torch.abs(g), -1) / 127.0
            g = g / rows.unsqueeze(-1)
    elif input_offset is not None:
        g = g + input_offset
    return torch.clamp(torch.round(g), -128.0, 127.0).to(torch.int64), rows


def reference(x: torch.Tensor, input_scale: Optional[torch.Tensor], input_offset: Optional[torch.Tensor], approximate: str, quant_mode: str) -> Tuple[torch.Tensor, torch.Tensor]:
    return quantise(gelu(x, approximate), input_scale, input_offset, quant_mode)


def eager(x: torch.Tensor, input_scale: Optional[torch.Tensor], input_offset: Optional[torch.Tensor], approximate: str, quant_mode: str) -> Tuple[torch.Tensor, torch.Tensor]:
    y, rows = quantise(F.gelu(x, approximate=approximate), input_scale, input_offset, quant_mode)
    return y.to(torch.int8), rows
