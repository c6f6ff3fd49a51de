"""LangGraph's in-memory store with a vector index over fake embeddings."""

import uuid

from lines import DIMENSIONS, Peer, fake_embedding, serve

SPACE = ("bench", "memory")


class LangGraphStore(Peer):
    def __init__(self):
        from langgraph.store.memory import InMemoryStore

        self.make, self.known, self.store = InMemoryStore, {}, None

    def prepare(self, texts):
        for text in texts:
            if text not in self.known:
                self.known[text] = fake_embedding(text)

    def embed(self, texts):
        return [self.known.get(text) or fake_embedding(text) for text in texts]

    def ingest(self, texts):
        self.store = self.make(index={"dims": DIMENSIONS, "embed": self.embed, "fields": ["text"]})
        for text in texts:
            self.add(text)

    def add(self, text):
        self.store.put(SPACE, uuid.uuid4().hex, {"text": text})

    def query(self, query, top_k):
        return self.store.search(SPACE, query=query, limit=top_k)


serve(LangGraphStore)
