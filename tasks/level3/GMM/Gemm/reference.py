import torch


def reference(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: float, beta: float) -> torch.Tensor:
    return alpha * torch.matmul(a, b) + beta * c


def eager(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: float, beta: float) -> torch.Tensor:
    return torch.addmm(c, a, b, beta=beta, alpha=alpha)


def scale(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: float, beta: float) -> torch.Tensor:
    return abs(alpha) * torch.matmul(torch.abs(a), torch.abs(b)) + abs(beta) * torch.abs(c)
