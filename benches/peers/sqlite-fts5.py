"""SQLite's full-text search as a command: each call is a process, as that of a user's script.

    sqlite-fts5.py load FILE TEXTS    makes FILE of a JSON list of texts, in one transaction
    sqlite-fts5.py ask FILE QUESTION  prints the ten best by BM25 of all that hold a word of the question
"""

import json
import re
import sqlite3
import sys

SETTINGS = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"


def load(connection, path):
    """Makes the index."""
    with open(path, encoding="utf-8") as file:
        texts = json.load(file)
    connection.executescript(SETTINGS + "CREATE VIRTUAL TABLE texts USING fts5(content);")
    with connection:
        connection.executemany("INSERT INTO texts (content) VALUES (?)", ((text,) for text in texts))


def ask(connection, question):
    """Prints the ten best texts."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
    query = "SELECT content, bm25(texts) FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 10"
    for content, score in connection.execute(query, (words,)):
        print(score, content)


def main():
    """Does what the arguments name."""
    verb, file, argument = sys.argv[1:]
    connection = sqlite3.connect(file)
    {"load": load, "ask": ask}[verb](connection, argument)
    connection.close()


main()
