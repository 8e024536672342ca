import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, num_features: int, num_groups: int):
        super(Model, self).__init__()
        self.norm = nn.GroupNorm(num_groups, num_features)
        self.act = nn.SiLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.act(self.norm(x))

shape = (16, 64)
width = 33
groups = 8

def get_inputs():
    return [torch.rand(*shape, width)]

def get_init_inputs():
    return [shape[1], groups]
