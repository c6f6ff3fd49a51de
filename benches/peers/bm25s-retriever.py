"""bm25s: BM25 as a sparse matrix. It has no way to add a text but to build the whole index.

With the arguments K1 and B it takes words by the English stemmer too, as a comparison of rankings needs it; without
them it is what the library does by itself.
"""

import sys

from lines import Peer, serve


class Bm25s(Peer):
    def __init__(self):
        import bm25s

        self.library, self.texts, self.index = bm25s, [], None
        self.constants, self.stemmer = {}, None
        if len(sys.argv) > 2:
            import Stemmer

            self.constants = {"k1": float(sys.argv[1]), "b": float(sys.argv[2])}
            self.stemmer = Stemmer.Stemmer("english")

    def words(self, texts):
        return self.library.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)

    def build(self):
        self.index = self.library.BM25(**self.constants)
        self.index.index(self.words(self.texts), show_progress=False)

    def ingest(self, texts):
        self.texts = list(texts)
        self.build()

    def add(self, text):
        self.texts.append(text)
        self.build()

    def query(self, query, top_k):
        k = min(top_k, len(self.texts))
        return self.index.retrieve(self.words(query), corpus=self.texts, k=k, show_progress=False)

    def rank(self, query, top_k):
        k = min(top_k, len(self.texts))
        places, scores = self.index.retrieve(self.words(query), k=k, show_progress=False)
        return [int(place) for place, score in zip(places[0], scores[0]) if score > 0]


serve(Bm25s)
