"""Peer: mcp-neo4j-memory, the memory server that Neo4j Labs publishes. Its tools call the class used here; the
protocol around them is left out, which is in its favour."""

import hashlib
import logging

from mcp_neo4j_memory.neo4j_memory import Entity, Neo4jMemory

from graph import GraphPeer, driver_of, serve

logging.getLogger("mcp_neo4j_memory").setLevel(logging.ERROR)


def entity(text):
    """An item under a name that follows from its text, since this server knows its items by name."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Entity(name=f"{text[:40]} {digest}", type="strategy", observations=[text])


class McpMemory(GraphPeer):
    package = "mcp-neo4j-memory"
    labels = ("Memory",)

    async def open(self):
        self.driver = driver_of(self.server)
        self.memory = Neo4jMemory(self.driver)
        await self.memory.create_fulltext_index()

    async def close(self):
        await self.driver.close()

    async def ingest(self, texts):
        await self.memory.create_entities([entity(text) for text in texts])

    async def add(self, text):
        await self.memory.create_entities([entity(text)])

    async def search(self, query, top_k, way):
        # It has no limit: it gives everything that shares a word.
        found = await self.memory.search_memories(query)
        return len(found.entities)


serve(McpMemory)
