from typing import List

import torch


def groups(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: torch.Tensor, beta: torch.Tensor, mList: List[int], kList: List[int], nList: List[int]) -> torch.Tensor:
    parts: List[torch.Tensor] = []
    at_a = 0
    at_b = 0
    at_c = 0
    for g in range(len(mList)):
        m = mList[g]
        k = kList[g]
        n = nList[g]
        left = a[at_a : at_a + m * k].reshape([m, k])
        right = b[at_b : at_b + k * n].reshape([k, n])
        old = c[at_c : at_c + m * n].reshape([m, n])
        parts.append((alpha[g] * torch.matmul(left, right) + beta[g] * old).reshape([-1]))
        at_a += m * k
        at_b += k * n
        at_c += m * n
    return torch.cat(parts)


def reference(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: torch.Tensor, beta: torch.Tensor, mList: List[int], kList: List[int], nList: List[int]) -> torch.Tensor:
    return groups(a, b, c, alpha, beta, mList, kList, nList)


def eager(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: torch.Tensor, beta: torch.Tensor, mList: List[int], kList: List[int], nList: List[int]) -> torch.Tensor:
    return groups(a, b, c, alpha, beta, mList, kList, nList)


def scale(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, alpha: torch.Tensor, beta: torch.Tensor, mList: List[int], kList: List[int], nList: List[int]) -> torch.Tensor:
    return groups(torch.abs(a), torch.abs(b), torch.abs(c), torch.abs(alpha), torch.abs(beta), mList, kList, nList)
