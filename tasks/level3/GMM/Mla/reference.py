import math
from typing import List

import torch


def attention(query_nope: torch.Tensor, query_rope: torch.Tensor, kv_nope_cache: torch.Tensor, kv_rope_cache: torch.Tensor, block_tables: torch.Tensor, q_seqlen_list: List[int], k_seqlen_list: List[int], magnitude: bool) -> torch.Tensor:
    size = kv_nope_cache.shape[1]
    shared = query_nope.shape[1] // kv_nope_cache.shape[2]
    factor = 1.0 / math.sqrt(float(query_nope.shape[2] + query_rope.shape[2]))
    parts: List[torch.Tensor] = []
    first = 0
    for b in range(len(q_seqlen_list)):
        count = k_seqlen_list[b]
        queries = q_seqlen_list[b]
        used = (count + size - 1) // size
        blocks = block_tables[b, :used].to(torch.int64)
        nope = kv_nope_cache[blocks].reshape([used * size, -1, kv_nope_cache.shape[3]])[:count]
        rope = kv_rope_cache[blocks].reshape([used * size, -1, kv_rope_cache.shape[3]])[:count]
        nope = torch.repeat_interleave(nope, shared, 1).transpose(0, 1)
        rope = torch.repeat_interleave(rope, shared, 1).transpose(0, 1)
        q = query_nope[first : first + queries].transpose(0, 1)
        r = query_rope[first : first + queries].transpose(0, 1)
        scores = (torch.matmul(q, nope.transpose(1, 2)) + torch.matmul(r, rope.transpose(1, 2))) * factor
        seen = torch.arange(count).unsqueeze(0) <= torch.arange(queries).unsqueeze(1) + (count - queries)
        scores = torch.where(seen, scores, torch.full_like(scores, -math.inf))
        values = torch.abs(nope) if magnitude else nope
        parts.append(torch.matmul(torch.softmax(scores, 2), values).transpose(0, 1))
        first += queries
    return torch.cat(parts)


def reference(query_nope: torch.Tensor, query_rope: torch.Tensor, kv_nope_cache: torch.Tensor, kv_rope_cache: torch.Tensor, block_tables: torch.Tensor, q_seqlen_list: List[int], k_seqlen_list: List[int]) -> torch.Tensor:
    return attention(query_nope, query_rope, kv_nope_cache, kv_rope_cache, block_tables, q_seqlen_list, k_seqlen_list, False)


def eager(query_nope: torch.Tensor, query_rope: torch.Tensor, kv_nope_cache: torch.Tensor, kv_rope_cache: torch.Tensor, block_tables: torch.Tensor, q_seqlen_list: List[int], k_seqlen_list: List[int]) -> torch.Tensor:
    return attention(query_nope, query_rope, kv_nope_cache, kv_rope_cache, block_tables, q_seqlen_list, k_seqlen_list, False)


def scale(query_nope: torch.Tensor, query_rope: torch.Tensor, kv_nope_cache: torch.Tensor, kv_rope_cache: torch.Tensor, block_tables: torch.Tensor, q_seqlen_list: List[int], k_seqlen_list: List[int]) -> torch.Tensor:
    return attention(query_nope, query_rope, kv_nope_cache, kv_rope_cache, block_tables, q_seqlen_list, k_seqlen_list, True)
