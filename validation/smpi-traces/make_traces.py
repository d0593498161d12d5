"""Writes the traces of the comparison: one TI file each. Usage: make_traces.py FOLDER"""
import os
import random
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def write(name, ranks):
    with open(f"{folder}/{name}.ti", "w") as out:
        for me, calls in enumerate(ranks):
            out.write(f"{me} init\n" + "".join(f"{me} {call}\n" for call in calls) + f"{me} finalize\n")


def pingpong(sizes, repetitions):
    ranks = [[], []]
    for size in sizes:
        for _ in range(repetitions):
            ranks[0] += [f"send 1 0 {size}", f"recv 1 0 {size}"]
            ranks[1] += [f"recv 0 0 {size}", f"send 0 0 {size}"]
    return ranks


def halo(side, size, iterations, jitter):
    """Five-point exchange on a torus of side x side ranks that compute for unequal times."""
    rng = random.Random(1)
    ranks = [[] for _ in range(side * side)]
    for _ in range(iterations):
        for me, calls in enumerate(ranks):
            x, y = me % side, me // side
            peers = [y * side + (x + 1) % side, y * side + (x - 1) % side,
                     (y + 1) % side * side + x, (y - 1) % side * side + x]
            calls.append(f"compute {int(200000 * (1 + jitter * rng.random()))}")
            calls += [f"irecv {peer} {d} {size}" for d, peer in enumerate(peers)]
            calls += [f"isend {peer} {d ^ 1} {size}" for d, peer in enumerate(peers)]
            calls.append("waitall 8")
    return ranks


def overlap(p, iterations):
    """A ring that computes between posting and waiting, waits one by one, and tests."""
    ranks = [[] for _ in range(p)]
    for k in range(iterations):
        for me, calls in enumerate(ranks):
            left, right, size = (me - 1) % p, (me + 1) % p, 1000 * (1 + 7 * k % 11) * 10
            calls += [f"irecv {left} 5 {size}", f"isend {right} 5 {size}", f"compute {3000 * (1 + me % 5)}",
                      f"test {left} {me} 5", f"compute {2000 * (1 + k % 3)}", f"wait {left} {me} 5",
                      f"wait {me} {right} 5", "sleep 1e-6"]
    return ranks


def any_order(seed, p, rounds, smallest, largest):
    """Messages between random pairs, posted in any order; some are waited for one by one, some block, some come before
    their receive is posted."""
    rng = random.Random(seed)
    ranks = [[] for _ in range(p)]
    size = lambda: int(smallest * (largest / smallest) ** rng.random())
    for _ in range(rounds):
        for calls in ranks:
            calls.append(f"compute {rng.randrange(200000)}")
        pairs = [(*rng.sample(range(p), 2), tag, size()) for tag in range(2 * p)]
        posts = [(me, n) for n, pair in enumerate(pairs) for me in pair[:2]]
        rng.shuffle(posts)
        for me, n in posts:
            source, to, tag, bytes_ = pairs[n]
            ranks[me].append(f"isend {to} {tag} {bytes_}" if me == source else f"irecv {source} {tag} {bytes_}")
        rng.shuffle(posts)
        one_by_one = rng.random() < 0.5
        for me, n in posts if one_by_one else []:
            source, to, tag, _ = pairs[n]
            ranks[me].append(f"wait {source} {to} {tag}")
        for calls in [] if one_by_one else ranks:
            calls.append("waitall")
        for _ in range(p):
            (source, to), bytes_ = rng.sample(range(p), 2), size()
            ranks[source].append(f"send {to} 99 {bytes_}")
            ranks[to].append(f"recv {source} 99 {bytes_}")
        shift, bytes_ = rng.randrange(1, p), size()
        for me, calls in enumerate(ranks):
            calls.append(f"sendRecv {bytes_} {(me + shift) % p} {bytes_} {(me - shift) % p}")
    return ranks


def collectives(p, lines):
    return [[line(me) if callable(line) else line for line in lines] for me in range(p)]


def some(p, call, sizes):
    return collectives(p, [call.format(size) for size in sizes])


eager = [1, 64, 1000, 4096, 8192, 20000, 60000]
large = [65536, 100000, 1000000, 4000000]
write("pingpong-eager", pingpong(eager, 20))
write("pingpong-rendezvous", pingpong(large, 20))
write("halo-eager", halo(4, 20000, 20, 0.1))
write("halo-rendezvous", halo(4, 200000, 20, 0.1))
write("halo-64-ranks", halo(8, 30000, 10, 0.1))
write("overlap", overlap(12, 20))
write("any-order-eager", any_order(1, 12, 20, 1000, 60000))
write("any-order-rendezvous", any_order(2, 12, 20, 66000, 2000000))
write("any-order-mixed", any_order(3, 12, 20, 1000, 500000))
mixed = [100, 3000, 30000, 300000]
write("alltoall", some(16, "alltoall {0} {0}", mixed))
write("alltoall-odd", some(13, "alltoall {0} {0}", mixed))
counts = [[(3001 * a + 977 * b) % 50000 for b in range(12)] for a in range(12)]
write("alltoallv", collectives(12, [lambda me: "alltoallv 1 " + " ".join(map(str, counts[me])) + " 1 " +
                                    " ".join(str(counts[a][me]) for a in range(12))]))
write("barrier", some(16, "barrier", [0] * 5))
write("bcast", some(16, "bcast {} 3", [30000, 300000, 3000000]))  # smpirun 3.32 crashes on the binary tree of small ones
write("reduce", some(16, "reduce {} 0 3", mixed + [3000000]))
write("allreduce", some(16, "allreduce {} 0", mixed + [3000000]))
write("gather", some(16, "gather {0} {0} 3", mixed))
write("scatter", some(16, "scatter {0} {0} 3", mixed))
write("allgather", some(16, "allgather {0} {0}", mixed))
write("scan", some(16, "scan {} 0", mixed))
shares = [10000 * (r + 1) for r in range(16)]
text = " ".join(map(str, shares))
write("gatherv", collectives(16, [lambda me: f"gatherv {shares[me]} {text} 3"]))
write("scatterv", collectives(16, [lambda me: f"scatterv {text} {shares[me]} 3"]))
write("allgatherv", collectives(16, [lambda me: f"allgatherv {shares[me]} {text}"]))
write("reducescatter", collectives(16, [f"reducescatter {text} 0"]))
