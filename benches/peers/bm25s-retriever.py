"""bm25s: BM25 as a sparse matrix. It has no way to add a text but to build the index anew."""

from lines import Peer, serve


class Bm25s(Peer):
    def __init__(self):
        import bm25s

        self.library, self.texts, self.index = bm25s, [], None

    def build(self):
        words = self.library.tokenize(self.texts, stopwords="en", show_progress=False)
        self.index = self.library.BM25()
        self.index.index(words, show_progress=False)

    def ingest(self, texts):
        self.texts = list(texts)
        self.build()

    def add(self, text):
        self.texts.append(text)
        self.build()

    def query(self, query, top_k):
        words = self.library.tokenize(query, stopwords="en", show_progress=False)
        k = min(top_k, len(self.texts))
        return self.index.retrieve(words, corpus=self.texts, k=k, show_progress=False)


serve(Bm25s)
