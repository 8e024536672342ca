import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.complex(torch.abs(x), torch.zeros_like(torch.abs(x))) if torch.is_complex(x) else torch.abs(x)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.complex(torch.abs(x), torch.zeros_like(torch.abs(x))) if torch.is_complex(x) else torch.abs(x)
