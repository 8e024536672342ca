import torch


def reference(add_0_input0: torch.Tensor, add_0_input1: torch.Tensor, mul_0_input1: torch.Tensor, mult_1_input1: torch.Tensor, mult_2_input1: torch.Tensor) -> torch.Tensor:
    return torch.sum(torch.sigmoid((add_0_input0 + add_0_input1) * mul_0_input1) * mult_1_input1 * mult_2_input1, 1)


def eager(add_0_input0: torch.Tensor, add_0_input1: torch.Tensor, mul_0_input1: torch.Tensor, mult_1_input1: torch.Tensor, mult_2_input1: torch.Tensor) -> torch.Tensor:
    return torch.sum(torch.sigmoid((add_0_input0 + add_0_input1) * mul_0_input1) * mult_1_input1 * mult_2_input1, 1)


def scale(add_0_input0: torch.Tensor, add_0_input1: torch.Tensor, mul_0_input1: torch.Tensor, mult_1_input1: torch.Tensor, mult_2_input1: torch.Tensor) -> torch.Tensor:
    return torch.sum(torch.sigmoid((add_0_input0 + add_0_input1) * mul_0_input1) * mult_1_input1 * torch.abs(mult_2_input1), 1)
