"""mem0's own store layer over a local qdrant: vectors with payloads on disk, fake embeddings, no model.

mem0 itself calls a language model for every add. What is timed is the part under it: its qdrant store,
which answers its searches and takes its writes.
"""

import os
import tempfile
import uuid

os.environ.setdefault("MEM0_TELEMETRY", "False")

from lines import DIMENSIONS, Peer, fake_embedding, serve


class Mem0Qdrant(Peer):
    def __init__(self):
        from mem0.vector_stores.qdrant import Qdrant

        self.folder = tempfile.TemporaryDirectory(prefix="hindlore-peer-")
        self.make, self.known, self.store = Qdrant, {}, None

    def prepare(self, texts):
        for text in texts:
            if text not in self.known:
                self.known[text] = fake_embedding(text)

    def ingest(self, texts):
        self.store = self.make(
            collection_name=f"c{uuid.uuid4().hex}", embedding_model_dims=DIMENSIONS, path=self.folder.name,
            on_disk=True,
        )
        for begin in range(0, len(texts), 1000):
            self.insert(texts[begin:begin + 1000])

    def insert(self, texts):
        self.store.insert(
            vectors=[self.known[text] for text in texts],
            payloads=[{"data": text, "user_id": "bench"} for text in texts],
            ids=[str(uuid.uuid4()) for _ in texts],
        )

    def add(self, text):
        self.insert([text])

    def query(self, query, top_k):
        vector = self.known[query]
        return self.store.search(query=query, vectors=vector, top_k=top_k, filters={"user_id": "bench"})


serve(Mem0Qdrant)
