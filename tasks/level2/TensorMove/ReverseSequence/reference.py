import torch


def reverse(x: torch.Tensor, seq_lengths: torch.Tensor, seq_dim: int, batch_dim: int) -> torch.Tensor:
    y = x.transpose(0, batch_dim)
    axis = seq_dim
    if seq_dim == 0:
        axis = batch_dim
    z = y.clone()
    for b in range(z.shape[0]):
        n = int(seq_lengths[b])
        row = z[b].transpose(0, axis - 1)
        row[:n] = torch.flip(row[:n].clone(), [0])
    return z.transpose(0, batch_dim).contiguous()


def reference(x: torch.Tensor, seq_lengths: torch.Tensor, seq_dim: int, batch_dim: int) -> torch.Tensor:
    return reverse(x, seq_lengths, seq_dim, batch_dim)


def eager(x: torch.Tensor, seq_lengths: torch.Tensor, seq_dim: int, batch_dim: int) -> torch.Tensor:
    return reverse(x, seq_lengths, seq_dim, batch_dim)
