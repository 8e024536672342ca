import torch


def repeat(feeds: torch.Tensor, feeds_repeat_times: torch.Tensor, output_feeds_size: int) -> torch.Tensor:
    rows = torch.repeat_interleave(feeds, feeds_repeat_times.to(torch.int64), 0)
    shape = list(feeds.shape)
    shape[0] = output_feeds_size
    y = torch.zeros(shape, dtype=feeds.dtype)
    y[: rows.shape[0]] = rows
    return y


def reference(feeds: torch.Tensor, feeds_repeat_times: torch.Tensor, output_feeds_size: int) -> torch.Tensor:
    return repeat(feeds, feeds_repeat_times, output_feeds_size)


def eager(feeds: torch.Tensor, feeds_repeat_times: torch.Tensor, output_feeds_size: int) -> torch.Tensor:
    return repeat(feeds, feeds_repeat_times, output_feeds_size)
