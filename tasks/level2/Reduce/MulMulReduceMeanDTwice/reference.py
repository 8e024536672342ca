import torch


def reference(mul0_input0: torch.Tensor, mul0_input1: torch.Tensor, mul1_input0: torch.Tensor, add_y: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    m = mul0_input0 * mul0_input1 * mul1_input0
    centred = m - torch.mean(m, 1, True)
    return beta + gamma / torch.sqrt(torch.mean(centred * centred, 1, True) + add_y) * centred


def eager(mul0_input0: torch.Tensor, mul0_input1: torch.Tensor, mul1_input0: torch.Tensor, add_y: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    m = mul0_input0 * mul0_input1 * mul1_input0
    return torch.layer_norm(m, [m.shape[1]], gamma, beta, float(add_y[0]))


def scale(mul0_input0: torch.Tensor, mul0_input1: torch.Tensor, mul1_input0: torch.Tensor, add_y: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    m = mul0_input0 * mul0_input1 * mul1_input0
    centred = m - torch.mean(m, 1, True)
    size = torch.abs(m) + torch.mean(torch.abs(m), 1, True)
    return torch.abs(beta) + torch.abs(gamma) / torch.sqrt(torch.mean(centred * centred, 1, True) + add_y) * size
