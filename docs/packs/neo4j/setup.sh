# Sourced by the proofs of this pack. They need a server with an empty database: NEO4J_HTTP, NEO4J_USERNAME and
# NEO4J_PASSWORD in the environment, as `scripts/neo4j env` prints them, of 5.19 or later. They remove their own data.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs curl
[[ -n "${NEO4J_HTTP:-}" ]] || not_run "NEO4J_HTTP is not set"
endpoint="${NEO4J_HTTP%/}/db/${NEO4J_DATABASE:-neo4j}/query/v2"
login="${NEO4J_USERNAME:-neo4j}:${NEO4J_PASSWORD:-}"

# Sends one statement in a transaction of its own; fails with the server's message.
send() {
    local answer
    answer="$(printf '{"statement":"%s"}' "$(escaped "$1")" |
        curl -sS --max-time 20 -u "$login" -H 'Content-Type: application/json' -d @- "$endpoint")" || return 1
    printf '%b\n' "${answer##*\"message\":\"}"
    [[ "$answer" == *'"data":'* && "$answer" != *'"errors":'* ]]
}

# Runs statements that are separated by a semicolon at the end of a line, each in a transaction of its own.
cypher() {
    local statement
    while read -r statement; do
        send "${statement%;}" || return 1
    done <<<"$1"
}

[[ "$(send 'MATCH (n) RETURN count(n)')" == *'[[0]]'* ]] || not_run "no empty database answers at NEO4J_HTTP"
remove_all() {
    send 'MATCH (n:Person|Team) DETACH DELETE n' >/dev/null || true
    send 'DROP CONSTRAINT person_email IF EXISTS' >/dev/null || true
    send 'DROP INDEX person_name IF EXISTS' >/dev/null || true
    clean_up
}
trap remove_all EXIT
version="neo4j $(curl -sS -u "$login" "${NEO4J_HTTP%/}/" | sed -n 's/.*"neo4j_version" *: *"\([^"]*\)".*/\1/p')"
send "CREATE (a:Person {name: 'Ada', age: 36, email: 'ada@example.com'})-[:MEMBER]->(:Team {name: 'Core'}) CREATE (:Person {name: 'Bob'})" >/dev/null
