"""The original memory's formulas in plain Python: retrieval with decay, and a delta that compares all pairs.

Written for this comparison from the formulas, as straight as a reader would write them: words are split and
compared anew for each pair, nothing is kept between two calls.
"""

import time

from lines import serve

RATES = {"semantic": 0.01, "episodic": 0.05, "procedural": 0.002}
PRIORITY = {"procedural": 1.0, "episodic": 0.7, "semantic": 0.4}
BASE = 100.0
RELEVANCE, STRENGTH, TYPE = 0.25, 0.55, 0.20
MERGE, REFINE = 0.9, 0.85


def similarity(a, b):
    left, right = set(a.lower().split()), set(b.lower().split())
    if not left or not right:
        return 0.0
    return len(left & right) / len(left | right)


def decayed(bullet, clock):
    if bullet["strength"] <= 0:
        return 0.0
    index = bullet.get("access_index")
    ticks = max(clock - index, 0) if index is not None else 0
    return bullet["strength"] * (1 - RATES[bullet["type"]]) ** ticks


def retrieve(bullets, query, clock, top_k):
    scored = []
    for at, bullet in enumerate(bullets):
        score = (
            RELEVANCE * similarity(query, bullet["content"])
            + STRENGTH * decayed(bullet, clock) / BASE
            + TYPE * PRIORITY[bullet["type"]]
        )
        scored.append((-score, at))
    scored.sort()
    return [(bullets[at], -score) for score, at in scored[:top_k]]


def balance(bullet):
    return bullet["helpful"] - bullet["harmful"]


def merge(keep, drop):
    keep["helpful"] += drop["helpful"]
    keep["harmful"] += drop["harmful"]
    keep["strength"] = max(keep["strength"], BASE + max(balance(keep), 0))


def apply_delta(bullets, text, clock):
    """Adds a text, or merges it, then looks at all pairs for near-duplicates."""
    fresh = {"content": text, "type": "procedural", "strength": BASE, "access_index": clock + 1,
             "helpful": 0, "harmful": 0}
    best, home = 0.0, None
    for bullet in bullets:
        found = similarity(bullet["content"], text)
        if found >= MERGE and found >= best:
            best, home = found, bullet
    if home is None:
        bullets.append(fresh)
    else:
        merge(home, fresh)
    gone = set()
    for i in range(len(bullets)):
        if i in gone:
            continue
        for j in range(i + 1, len(bullets)):
            if j in gone or similarity(bullets[i]["content"], bullets[j]["content"]) <= REFINE:
                continue
            keep, drop = bullets[i], bullets[j]
            if balance(drop) > balance(keep):
                keep, drop = drop, keep
            merge(keep, drop)
            bullets[i] = keep
            gone.add(j)
    return [bullet for at, bullet in enumerate(bullets) if at not in gone]


class Original:
    """The bullets of one memory."""

    def __init__(self):
        self.bullets, self.clock = [], 0


def answer(memory, request):
    what = request["do"]
    if what == "hello":
        return {"hello": "python-original"}
    if what == "load":
        memory.bullets, memory.clock = request["bullets"], request["clock"]
        return {"seconds": []}
    if what == "query":
        seconds, scores = [], []
        for query in request["queries"]:
            started = time.perf_counter()
            found = retrieve(memory.bullets, query, memory.clock, request["top_k"])
            seconds.append(time.perf_counter() - started)
            scores.append([score for _, score in found])
        return {"seconds": seconds, "scores": scores}
    if what == "delta":
        bullets = [
            {"content": text, "type": "procedural", "strength": BASE, "access_index": 1, "helpful": 0, "harmful": 0}
            for text in request["texts"]
        ]
        started = time.perf_counter()
        apply_delta(bullets, request["add"], 1)
        return {"seconds": time.perf_counter() - started}
    return {"absent": f"the peer does not know `{what}`"}


serve(Original, answer)
