from typing import Tuple

import torch


def gradients(dy: torch.Tensor, x: torch.Tensor, f: torch.Tensor, h_post: torch.Tensor, h_res: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    dx = torch.matmul(h_res, dy)
    df = torch.sum(dy * h_post.unsqueeze(2), 1)
    dh_post = torch.sum(dy * f.unsqueeze(1), 2)
    return dx, df, dh_post, torch.matmul(x, dy.transpose(1, 2))


def reference(dy: torch.Tensor, x: torch.Tensor, f: torch.Tensor, h_post: torch.Tensor, h_res: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return gradients(dy, x, f, h_post, h_res)


def eager(dy: torch.Tensor, x: torch.Tensor, f: torch.Tensor, h_post: torch.Tensor, h_res: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return gradients(dy, x, f, h_post, h_res)
