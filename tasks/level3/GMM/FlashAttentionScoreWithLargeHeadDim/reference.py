from typing import Tuple

import torch


def heads(x: torch.Tensor, head_num: int) -> torch.Tensor:
    return x.reshape([x.shape[0], x.shape[1], head_num, x.shape[2] // head_num]).transpose(1, 2)


def eight(x: torch.Tensor) -> torch.Tensor:
    return x.expand([x.shape[0], x.shape[1], x.shape[2], 8]).contiguous()


def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scale_value: float, head_num: int, magnitude: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    q = heads(query, head_num)
    k = heads(key, head_num)
    v = heads(value, head_num)
    scores = torch.matmul(q, k.transpose(2, 3)) * scale_value
    top = torch.amax(scores, 3, True)
    powers = torch.exp(scores - top)
    total = torch.sum(powers, 3, True)
    if magnitude:
        v = torch.abs(v)
        top = torch.amax(torch.matmul(torch.abs(q), torch.abs(k).transpose(2, 3)), 3, True) * abs(scale_value)
    out = torch.matmul(powers / total, v).transpose(1, 2).reshape(query.shape)
    return eight(top), eight(total), out


def reference(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scale_value: float, head_num: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return attention(query, key, value, scale_value, head_num, False)


def eager(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scale_value: float, head_num: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return attention(query, key, value, scale_value, head_num, False)


def scale(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scale_value: float, head_num: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return attention(query, key, value, scale_value, head_num, True)
