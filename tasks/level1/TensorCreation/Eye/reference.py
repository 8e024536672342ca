from typing import List

import torch


def reference(y: torch.Tensor, num_rows: int, num_columns: int, batch_shape: List[int], dtype: int) -> torch.Tensor:
    columns = num_rows if num_columns == 0 else num_columns
    return torch.eye(num_rows, columns, dtype=y.dtype).expand(batch_shape + [num_rows, columns]).clone()


def eager(y: torch.Tensor, num_rows: int, num_columns: int, batch_shape: List[int], dtype: int) -> torch.Tensor:
    columns = num_rows if num_columns == 0 else num_columns
    return torch.eye(num_rows, columns, dtype=y.dtype).expand(batch_shape + [num_rows, columns]).clone()
