import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, kernel_size: int, stride: int = None, padding: int = 0):
        super(Model, self).__init__()
        self.pool = nn.AvgPool1d(kernel_size, stride=stride, padding=padding)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pool(x)

def get_inputs():
    return [torch.rand(batch, channels, length)]

batch, channels = 16, 32
length = 128

def get_init_inputs():
    return [4, 2, 1]
