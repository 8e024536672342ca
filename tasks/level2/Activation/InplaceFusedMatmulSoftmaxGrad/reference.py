import torch


def reference(softmaxOutput: torch.Tensor, gradOutput: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    g = torch.matmul(gradOutput, values.t())
    return (g - torch.sum(softmaxOutput * g, 1, True)) * softmaxOutput


def eager(softmaxOutput: torch.Tensor, gradOutput: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    g = torch.matmul(gradOutput, values.t())
    return torch._softmax_backward_data(g, softmaxOutput, 1, softmaxOutput.dtype)


def scale(softmaxOutput: torch.Tensor, gradOutput: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    g = torch.matmul(torch.abs(gradOutput), torch.abs(values).t())
    s = torch.abs(softmaxOutput)
    return (g + torch.sum(s * g, 1, True)) * s
