"""Peer: graphiti-core, as a user of its graph who brings facts of his own: nodes saved one by one or in bulk, and
its hybrid search (full text and cosine, joined by reciprocal ranks). Models are fakes that cost nothing."""

import os

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.embedder.client import EMBEDDING_DIM, EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.nodes import EntityNode
from graphiti_core.search.search_config_recipes import NODE_HYBRID_SEARCH_RRF
from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

from graph import GraphPeer, Words, serve

GROUP = "bench"
# Nodes of one bulk call: it is one transaction with an embedding for each.
BULK = 1_000
WORDS = Words(EMBEDDING_DIM)


class FakeEmbedder(EmbedderClient):
    async def create(self, input_data):
        text = input_data if isinstance(input_data, str) else input_data[0]
        return WORDS.of(text)

    async def create_batch(self, input_data_list):
        return [WORDS.of(text) for text in input_data_list]


class FakeModel(LLMClient):
    async def _generate_response(self, messages, response_model=None, max_tokens=0, model_size=None, **_):
        return {}


class FakeEncoder(CrossEncoderClient):
    async def rank(self, query, passages):
        return [(passage, 1.0) for passage in passages]


def node(text):
    return EntityNode(name=text, summary=text, group_id=GROUP, labels=["Entity"])


class GraphitiPeer(GraphPeer):
    package = "graphiti-core"
    labels = ("Entity", "Episodic", "Community", "Saga")

    async def open(self):
        server = self.server
        self.driver = Neo4jDriver(server["uri"], server["user"], server["password"], server["database"])
        self.embedder = FakeEmbedder()
        self.graphiti = Graphiti(
            graph_driver=self.driver,
            llm_client=FakeModel(None),
            embedder=self.embedder,
            cross_encoder=FakeEncoder(),
        )
        await self.graphiti.build_indices_and_constraints()

    async def close(self):
        await self.graphiti.close()

    async def prepare(self, texts):
        WORDS.forget()
        for text in texts:
            WORDS.of(text)

    async def ingest(self, texts):
        for start in range(0, len(texts), BULK):
            nodes = [node(text) for text in texts[start : start + BULK]]
            await add_nodes_and_edges_bulk(self.driver, [], [], nodes, [], self.embedder)

    async def add(self, text):
        one = node(text)
        await one.generate_name_embedding(self.embedder)
        await one.save(self.driver)

    async def search(self, query, top_k, way):
        how = NODE_HYBRID_SEARCH_RRF.model_copy(deep=True)
        how.limit = top_k
        found = await self.graphiti.search_(query, config=how, group_ids=[GROUP])
        return len(found.nodes)

    def ways(self):
        async def after_a_look(peer, texts):
            # It has no key of its own: who wants an item once looks by name first.
            for text in texts:
                if not await EntityNode.get_by_names(peer.driver, [text], [GROUP]):
                    await peer.add(text)

        async def in_bulk(peer, texts):
            await peer.ingest(texts)

        return {"one by one, each after a look by name": after_a_look, "in bulk": in_bulk}


serve(GraphitiPeer)
