"""What the peers in one process share: one JSON line for each that comes, times taken here.

A peer takes many texts at once, one text, and a question. `{"do": "hello"}` opens the talk; `ingest` with
`texts` begins anew; `add` takes `texts` one after the other; `query` asks `queries` for `top_k` each. Answers
hold `seconds`, one for each that was sent, or `absent` with the reason. `rank` asks as `query` does and answers with
`rankings`: for each query the places of the texts that it found, best first, counted from 0.
"""

import hashlib
import json
import random
import sys
import time

DIMENSIONS = 384


def fake_embedding(text):
    """A unit vector that follows from the text and means nothing; takes the place of a model."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    source = random.Random(seed)
    vector = [source.gauss(0.0, 1.0) for _ in range(DIMENSIONS)]
    length = sum(x * x for x in vector) ** 0.5
    return [x / length for x in vector]


def timed(work, items):
    """Seconds of each call."""
    seconds = []
    for item in items:
        started = time.perf_counter()
        work(item)
        seconds.append(time.perf_counter() - started)
    return seconds


def answer(peer, request):
    """What the peer says to one request."""
    what = request["do"]
    if what == "hello":
        return {"hello": type(peer).__name__}
    if what == "ingest":
        peer.prepare(request["texts"])
        return {"seconds": timed(peer.ingest, [request["texts"]])}
    if what == "add":
        peer.prepare(request["texts"])
        return {"seconds": timed(peer.add, request["texts"])}
    if what == "query":
        peer.prepare(request["queries"])
        return {"seconds": timed(lambda query: peer.query(query, request["top_k"]), request["queries"])}
    if what == "rank":
        return {"rankings": [peer.rank(query, request["top_k"]) for query in request["queries"]]}
    return {"absent": f"the peer does not know `{what}`"}


class Peer:
    """One library under test."""

    def prepare(self, texts):
        """Work that a model would do elsewhere: not part of any time."""

    def ingest(self, texts):
        """Takes many texts, beginning anew."""
        raise NotImplementedError

    def add(self, text):
        """Takes one more text."""
        raise NotImplementedError

    def query(self, query, top_k):
        """Finds texts."""
        raise NotImplementedError

    def rank(self, query, top_k):
        """Finds the places of texts, best first."""
        raise NotImplementedError


def serve(make, answer=answer):
    """Answers until the other side ends."""
    out = sys.stdout
    # What libraries print must not come between the answers.
    sys.stdout = sys.stderr
    try:
        peer, reason = make(), None
    except Exception as error:
        peer, reason = None, f"{type(error).__name__}: {error}"
    for line in sys.stdin:
        try:
            said = {"absent": reason} if reason else answer(peer, json.loads(line))
        except Exception as error:
            said = {"absent": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(said) + "\n")
        out.flush()
