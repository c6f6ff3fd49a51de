"""Peer: neo4j-agent-memory by its long-term memory. It has no call for many entities, so many are added one after
the other with resolution and duplicate check off; one is added with the defaults. The embedder is a fake."""

from neo4j_agent_memory import MemoryClient, MemorySettings, Neo4jConfig
from neo4j_agent_memory.config.settings import ExtractionConfig, ExtractorType

from graph import GraphPeer, Words, serve

# What it takes a vector index to have unless told otherwise.
DIMENSIONS = 1_536
WORDS = Words(DIMENSIONS)
TYPE = "OBJECT"


class FakeEmbedder:
    dimensions = DIMENSIONS

    async def embed(self, text):
        return WORDS.of(text)

    async def embed_batch(self, texts):
        return [WORDS.of(text) for text in texts]


class AgentMemory(GraphPeer):
    package = "neo4j-agent-memory"
    raced_at_most = 25
    labels = (
        "Entity",
        "Fact",
        "Preference",
        "Conversation",
        "Message",
        "ReasoningTrace",
        "ReasoningStep",
        "ToolCall",
        "Tool",
        "Ontology",
        "OntologyVersion",
        "Schema",
        "SchemaMigration",
        "Extractor",
        "User",
    )

    async def open(self):
        server = self.server
        settings = MemorySettings(
            neo4j=Neo4jConfig(
                uri=server["uri"], username=server["user"], password=server["password"], database=server["database"]
            ),
            extraction=ExtractionConfig(extractor_type=ExtractorType.NONE),
        )
        self.client = MemoryClient(settings, embedder=FakeEmbedder())
        await self.client.connect()

    async def close(self):
        await self.client.close()

    async def prepare(self, texts):
        WORDS.forget()
        for text in texts:
            WORDS.of(text)

    async def ingest(self, texts):
        for text in texts:
            await self.client.long_term.add_entity(text, TYPE, resolve=False, deduplicate=False)

    async def add(self, text):
        await self.client.long_term.add_entity(text, TYPE)

    async def search(self, query, top_k, way):
        # With its own threshold hardly anything is found among these embeddings.
        how = {} if way == "its own threshold" else {"threshold": 0.0}
        found = await self.client.long_term.search_entities(query, limit=top_k, **how)
        return len(found)


serve(AgentMemory)
