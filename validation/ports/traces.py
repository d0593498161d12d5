#!/usr/bin/env python3
"""Writes the isolating experiments as traces and as a scenario: traces.py FOLDER. Eight ranks, two on each of four nodes."""
import os
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
sizes = [4096, 16384, 49152]
names = []


def write(name, size, calls):
    """`calls`: rank -> its calls; those that are not named take no part."""
    names.append(f"{name}-{size}.ti")
    with open(f"{folder}/{names[-1]}", "w") as out:
        for rank in range(8):
            out.write(f"{rank} init\n" + "".join(f"{rank} {call}\n" for call in calls.get(rank, [])) + f"{rank} finalize\n")


def receives(ranks, size):
    return [f"irecv {rank} 0 {size}" for rank in ranks]


def sends(ranks, size):
    return [f"isend {rank} 0 {size}" for rank in ranks]


def at_once(receive, send, size):
    return receives(receive, size) + sends(send, size) + [f"waitall {len(receive) + len(send)}"]


first = [0, 2, 4, 6]  # of each node
for size in sizes:
    # One message alone: latency, overheads, two ports.
    write("one", size, {0: [f"send 2 0 {size}"], 2: [f"recv 0 0 {size}"]})
    # Both ways between two nodes: do acknowledgements share the way back?
    write("exchange", size, {0: at_once([2], [2], size), 2: at_once([0], [0], size)})
    # Both ways, of two pairs of ranks, so that no acknowledgement can travel with a message.
    write("opposite", size, {0: [f"send 2 0 {size}"], 2: [f"recv 0 0 {size}"], 3: [f"send 1 0 {size}"], 1: [f"recv 3 0 {size}"]})
    # Two ranks of a node to two nodes: the outgoing port alone.
    write("fork", size, {0: [f"send 2 0 {size}"], 2: [f"recv 0 0 {size}"], 1: [f"send 4 0 {size}"], 4: [f"recv 1 0 {size}"]})
    # Three to one: the incoming port alone.
    write("incast", size, {0: at_once([2, 4, 6], [], size), **{rank: [f"send 0 0 {size}"] for rank in (2, 4, 6)}})
    # One to three, posted one after another.
    write("scatter", size, {0: at_once([], [2, 4, 6], size), **{rank: [f"recv 0 0 {size}"] for rank in (2, 4, 6)}})
    # Everyone to the next node: both ports of all, no contention.
    write("shift", size, {rank: at_once([first[i - 1]], [first[(i + 1) % 4]], size) for i, rank in enumerate(first)})
    # All to all of one rank per node, in Open MPI's linear order: an order, but no partner at the port.
    write("all-to-all-4", size,
          {rank: at_once([first[(i + d) % 4] for d in (1, 2, 3)], [first[(i - d) % 4] for d in (1, 2, 3)], size)
           for i, rank in enumerate(first)})
    # All to all of two ranks per node, which share its ports.
    write("all-to-all-8", size,
          {rank: at_once([(rank + d) % 8 for d in range(1, 8)], [(rank - d) % 8 for d in range(1, 8)], size)
           for rank in range(8)})

with open(f"{folder}/ports.yaml", "w") as out:
    out.write(f"""source: "which of its parts makes a transfer take longer than fluid sharing says"
platform: {os.path.abspath(os.path.dirname(__file__))}/lab-fifo.yaml
network: ethernet
engine: flow
layout: {{ranks: 8, per-node: 2}}
kernel: {{name: trace, file: {names[0]}, compute: false}}
sweep:
  kernel.file: [{", ".join(names)}]
""")
