"""What the peers on a Neo4j share: one JSON line for each that comes, their own times, and no traces left.

A peer says how it is opened, how it takes many items, one item and a question. Everything else is here:
the protocol, the clock, eight clients at once, fake embeddings, and the cleaning up.

A peer writes labels of its own into the one database that a Community server has. It is refused when nodes
with these labels are there already, so that cleaning up never takes away what somebody else keeps.
"""

import asyncio
import hashlib
import importlib.metadata
import json
import math
import os
import random
import sys
import time

from neo4j import AsyncGraphDatabase


# Label of the node that says what was there before a peer.
MARK = "BenchPeer"


class Absent(Exception):
    """Why there is no figure."""


class GraphPeer:
    """One package under test. `labels` are those of the nodes that it makes."""

    package = ""
    labels = ()
    # The most items that its clients race for; a slow one is sent fewer.
    raced_at_most = 1_000

    def __init__(self, server):
        self.server = server

    async def open(self):
        """Connects and makes indexes, as the package's documentation says."""
        raise NotImplementedError

    async def close(self):
        """Ends the connections."""

    async def prepare(self, texts):
        """Work that a paid model would do elsewhere: not part of any time."""

    async def ingest(self, texts):
        """Takes many items by what the package offers for many."""
        raise NotImplementedError

    async def add(self, text):
        """Takes one item as an application would hand it in."""
        raise NotImplementedError

    async def search(self, query, top_k, way):
        """Answers a question in the way named, or in that of the bench; gives the number of items found."""
        raise NotImplementedError

    def ways(self):
        """How clients insert the same items at once: a name for each and what a client does."""

        async def one_by_one(peer, texts):
            for text in texts:
                await peer.add(text)

        return {"one by one": one_by_one}


class Words:
    """Embeddings that cost nothing to a bench: a direction for each word, added up. Texts that share words
    are near each other, so that an index over them has the work that it would have."""

    def __init__(self, dimensions):
        import numpy

        self.numpy = numpy
        self.dimensions = dimensions
        self.directions = {}
        self.known = {}

    def direction(self, word):
        if word not in self.directions:
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
            found = self.numpy.random.default_rng(seed).standard_normal(self.dimensions)
            self.directions[word] = found
        return self.directions[word]

    def of(self, text):
        if text not in self.known:
            words = text.lower().split() or [""]
            total = sum(self.direction(word) for word in words)
            length = math.sqrt(float(total @ total)) or 1.0
            self.known[text] = (total / length).tolist()
        return self.known[text]

    def forget(self):
        self.known.clear()


def driver_of(server):
    auth = (server["user"], server["password"])
    return AsyncGraphDatabase.driver(server["uri"], auth=auth, database=server["database"])


async def ask(driver, text, **parameters):
    records, _, _ = await driver.execute_query(text, parameters)
    return [record.data() for record in records]


async def schema(driver):
    """Names of the indexes and constraints that are there."""
    indexes = await ask(driver, "SHOW INDEXES YIELD name, type, owningConstraint")
    constraints = await ask(driver, "SHOW CONSTRAINTS YIELD name")
    own = {row["name"] for row in indexes if not row["owningConstraint"] and row["type"] != "LOOKUP"}
    return own, {row["name"] for row in constraints}


async def count(driver, labels):
    """Nodes with these labels; a label that nobody used yet is no warning."""
    found = await ask(
        driver, "MATCH (n) WHERE any(label IN labels(n) WHERE label IN $labels) RETURN count(n) AS n", labels=list(labels)
    )
    return found[0]["n"]


async def empty(driver, labels):
    """Deletes the nodes with these labels."""
    found = 1
    while found:
        rows = await ask(
            driver,
            "MATCH (n) WHERE any(label IN labels(n) WHERE label IN $labels) "
            "WITH n LIMIT 2000 DETACH DELETE n RETURN count(*) AS n",
            labels=list(labels),
        )
        found = rows[0]["n"]


async def tidy(driver, labels, before):
    """Takes away the nodes with these labels, and the indexes and constraints that were not there before."""
    await empty(driver, labels)
    indexes, constraints = await schema(driver)
    for name in constraints - before[1]:
        await ask(driver, f"DROP CONSTRAINT `{name}` IF EXISTS")
    for name in indexes - before[0]:
        await ask(driver, f"DROP INDEX `{name}` IF EXISTS")
    await ask(driver, f"MATCH (m:{MARK}) DELETE m")


class Session:
    """One opened peer and what there was before it."""

    def __init__(self, kind):
        self.kind = kind
        self.peer = None
        self.driver = None
        self.before = None

    async def hello(self, _):
        version = importlib.metadata.version(self.kind.package)
        return {"peer": self.kind.package, "version": version}

    async def open(self, request):
        self.driver = driver_of(request)
        await self.take_over()
        there = await count(self.driver, self.kind.labels)
        if there:
            labels = ", ".join(self.kind.labels)
            raise Absent(f"the database has {there} nodes of the labels {labels} already; name a server of its own")
        self.before = await schema(self.driver)
        # Should this process be killed, the next one knows what is not anybody's.
        await ask(
            self.driver,
            f"CREATE (:{MARK} {{labels: $labels, indexes: $indexes, constraints: $constraints}})",
            labels=list(self.kind.labels),
            indexes=sorted(self.before[0]),
            constraints=sorted(self.before[1]),
        )
        self.peer = self.kind(request)
        await self.peer.open()
        await ask(self.driver, "CALL db.awaitIndexes(300)")
        return {"opened": True}

    async def ingest(self, request):
        await self.peer.prepare(request["texts"])
        started = time.perf_counter()
        await self.peer.ingest(request["texts"])
        return {"seconds": time.perf_counter() - started}

    async def add(self, request):
        await self.peer.prepare(request["texts"])
        seconds = []
        for text in request["texts"]:
            started = time.perf_counter()
            await self.peer.add(text)
            seconds.append(time.perf_counter() - started)
        return {"seconds": seconds}

    async def search(self, request):
        await self.peer.prepare(request["queries"])
        seconds, found = [], []
        for query in request["queries"]:
            started = time.perf_counter()
            found.append(await self.peer.search(query, request["top_k"], request.get("way", "")))
            seconds.append(time.perf_counter() - started)
        return {"seconds": seconds, "found": found}

    async def race(self, request):
        """Clients with connections of their own insert the same items at once, each in an order of its own, which
        makes them meet less often; what is left is counted."""
        left = {}
        texts = request["texts"][: self.kind.raced_at_most]
        for name, work in self.peer.ways().items():
            await self.empty()
            peers = [self.kind(request["server"]) for _ in range(request["clients"])]
            for peer in peers:
                await peer.open()
                await peer.prepare(texts)
            orders = [random.sample(texts, len(texts)) for _ in peers]
            await asyncio.gather(*(work(peer, own) for peer, own in zip(peers, orders)), return_exceptions=True)
            for peer in peers:
                await peer.close()
            left[name] = await self.items()
        await self.empty()
        return {"left": left, "items": len(texts)}

    async def items(self):
        rows = await ask(
            self.driver, "MATCH (n) WHERE $label IN labels(n) RETURN count(n) AS n", label=self.kind.labels[0]
        )
        return rows[0]["n"]

    async def count(self, _):
        return {"items": await self.items()}

    async def empty(self):
        await empty(self.driver, self.kind.labels)

    async def take_over(self):
        """Clears what a peer that was killed left."""
        for left in await ask(self.driver, f"MATCH (m:{MARK}) RETURN properties(m) AS m"):
            mark = left["m"]
            await tidy(self.driver, mark["labels"], (set(mark["indexes"]), set(mark["constraints"])))

    async def clear(self, _):
        """Takes away the nodes, indexes and constraints that this peer made."""
        if self.driver is None:
            return {"cleared": True}
        if self.peer is not None:
            await self.peer.close()
        if self.before is not None:
            await tidy(self.driver, self.kind.labels, self.before)
        await self.driver.close()
        self.driver = None
        return {"cleared": True}


async def answer_all(kind, out):
    session = Session(kind)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        request = json.loads(line)
        try:
            answer = await getattr(session, request["do"])(request)
        except Absent as why:
            answer = {"absent": str(why)}
        except Exception as error:  # the bench shows it in the row
            answer = {"absent": f"{kind.package}: {type(error).__name__}: {str(error)[:300]}"}
        out.write(json.dumps(answer) + "\n")
        out.flush()
    await session.clear({})


def serve(kind):
    """Answers requests until stdin ends. What packages print goes to stderr."""
    random.seed(0)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    asyncio.run(answer_all(kind, out))
