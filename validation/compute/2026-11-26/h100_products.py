#!/usr/bin/env python3
"""Rates of the products of Llama 3.1 405B on one GPU, by shape, in FP8 and BF16: 8 or 4 GPUs to a matrix, whole and in chunks.

    python3 h100_products.py >h100-products.csv        # needs PyTorch and an H100; half a minute
"""
import time

import torch
import torch.nn.functional as F

gpu = torch.device("cuda")
print("what,precision,m,n,k,seconds_median,seconds_least,seconds_most,Tflop_per_s")


def timed(work, seconds=0.6):
    """Median, least and most of samples of some 20 ms, the first third left out: until then clocks fall."""
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    began = time.time()
    work()
    torch.cuda.synchronize()
    repeats = max(1, int(0.02 / max(time.time() - began, 2e-5)))
    samples, until = [], time.time() + seconds
    while time.time() < until or len(samples) < 5:
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(repeats):
            work()
        last.record()
        torch.cuda.synchronize()
        samples.append(first.elapsed_time(last) / 1e3 / repeats)
    samples = sorted(samples[len(samples) // 3:])
    return samples[len(samples) // 2], samples[0], samples[-1]


def row(what, precision, m, n, k, flops, work):
    median, least, most = timed(work)
    print(f"{what},{precision},{m},{n},{k},{median:.4g},{least:.4g},{most:.4g},{flops / median / 1e12:.1f}", flush=True)


def product(what, precision, m, n, k):
    a, b = torch.randn(m, k, device=gpu), torch.randn(n, k, device=gpu)
    if precision == "fp8":
        a, b = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn).t()
        scale, fast = torch.ones((), device=gpu), "grad" not in what
        row(what, precision, m, n, k, 2.0 * m * n * k, lambda: torch._scaled_mm(
            a, b, scale_a=scale, scale_b=scale, out_dtype=torch.bfloat16, use_fast_accum=fast))
    else:
        a, b = a.bfloat16(), b.bfloat16().t()
        row(what, precision, m, n, k, 2.0 * m * n * k, lambda: torch.mm(a, b))


hidden, feed_forward, vocabulary, tokens = 16384, 53248, 128256, 4096
for parts in (8, 4):
    q, p, i, o = hidden * 9 // 8 // parts, hidden // parts, 2 * feed_forward // parts, feed_forward // parts
    for rows, chunk in ((tokens, ""), (tokens // parts, " chunk")):
        for name, n, k in (("qkv", q, hidden), ("proj", hidden, p), ("fc1", i, hidden), ("fc2", hidden, o)):
            product(f"T{parts} {name} fprop{chunk}", "fp8", rows, n, k)
        for name, n, k in (("proj", p, hidden), ("fc2", o, hidden)):
            product(f"T{parts} {name} dgrad{chunk}", "fp8", rows, n, k)
    for name, n, k in (("qkv", hidden, q), ("fc1", hidden, i)):
        product(f"T{parts} {name} dgrad", "fp8", tokens, n, k)
    for name, m, n in (("qkv", q, hidden), ("proj", hidden, p), ("fc1", i, hidden), ("fc2", hidden, o)):
        product(f"T{parts} {name} wgrad", "fp8", m, n, tokens)
for name, n, k in (("qkv", 2304, hidden), ("fc1", 13312, hidden), ("fc2", hidden, 6656), ("logits", vocabulary // 8, hidden)):
    product("T8 " + name, "bf16", tokens, n, k)
for precision in ("bf16", "fp8"):
    product("square", precision, 8192, 8192, 8192)
for causal in (False, True):  # 16 heads of 128: a block of the ring
    heads, width, name = 16, 128, " causal" if causal else ""
    parts = [torch.randn(1, heads, tokens, width, device=gpu, dtype=torch.bfloat16, requires_grad=True) for _ in range(3)]
    flops = 4.0 * heads * tokens * tokens * width * (0.5 if causal else 1.0)
    row("scores fprop" + name, "bf16", tokens, tokens, width, flops,
        lambda: F.scaled_dot_product_attention(*parts, is_causal=causal))
    output = F.scaled_dot_product_attention(*parts, is_causal=causal)
    gradient = torch.randn_like(output)
    row("scores backward" + name, "bf16", tokens, tokens, width, 2.5 * flops,
        lambda: torch.autograd.grad(output, parts, gradient, retain_graph=True))
source = torch.empty(2**30, dtype=torch.bfloat16, device=gpu).normal_()
target = torch.empty_like(source)
row("copy (GB/s read and written)", "bf16", source.numel(), 1, 1, 4e3 * source.numel(), lambda: target.copy_(source))
