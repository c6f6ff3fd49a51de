"""rank_bm25: BM25 over lists in process. It has no way to add a text but to build the index anew."""

import re

from lines import Peer, serve

WORD = re.compile(r"\w+")


class RankBm25(Peer):
    def __init__(self):
        from rank_bm25 import BM25Okapi

        self.make, self.texts, self.words, self.index = BM25Okapi, [], [], None

    def ingest(self, texts):
        self.texts = list(texts)
        self.words = [WORD.findall(text.lower()) for text in self.texts]
        self.index = self.make(self.words)

    def add(self, text):
        self.texts.append(text)
        self.words.append(WORD.findall(text.lower()))
        self.index = self.make(self.words)

    def query(self, query, top_k):
        return self.index.get_top_n(WORD.findall(query.lower()), self.texts, n=top_k)


serve(RankBm25)
