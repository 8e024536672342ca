import torch


def reference(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor, per_token_scale: torch.Tensor) -> torch.Tensor:
    return torch.matmul(a.to(scale.dtype), b.to(scale.dtype)) * scale * per_token_scale.unsqueeze(1)


def eager(a: torch.Tensor, b: torch.Tensor, scale: torch.Tensor, per_token_scale: torch.Tensor) -> torch.Tensor:
    return torch.matmul(a.to(torch.float64), b.to(torch.float64)).to(scale.dtype) * scale * per_token_scale.unsqueeze(1)
