"""Drain3: a parser that learns the templates of a log in order of arrival, with its own defaults."""

import time

from lines import serve


class Drain3:
    def __init__(self):
        from drain3.template_miner import TemplateMiner

        self.make = TemplateMiner

    def group(self, texts):
        miner = self.make()
        started = time.perf_counter()
        groups = [miner.add_log_message(text)["cluster_id"] for text in texts]
        return {"seconds": time.perf_counter() - started, "groups": groups}


def answer(peer, request):
    what = request["do"]
    if what == "hello":
        return {"hello": "drain3"}
    if what == "group":
        return peer.group(request["texts"])
    return {"absent": f"the peer does not know `{what}`"}


serve(Drain3, answer)
