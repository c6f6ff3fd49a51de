# Sourced by the proofs of this pack: the database app.db with the table users.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs sqlite3
version="sqlite3 $(sqlite3 --version | cut -d ' ' -f 1)"
sqlite3 app.db "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT);
INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com'), ('Bob', 'bob@example.com');"
