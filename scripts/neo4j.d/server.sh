# Sourced by scripts/neo4j: the commands, and the record of the server that was started.
#
# The record of each kind (native, docker) is a file: ports, password, process id, and whether it is a fast one. It
# stays after a stop, so that ports and password are the same at the next start. `kind` names the one in use.
# shellcheck shell=bash

# Loads the record of the kind $1, or of the one in use.
record_load() {
    kind="${1:-}" bolt_port='' http_port='' password='' pid='' was_fast=no
    [[ -n "$kind" || ! -f "$state/kind" ]] || kind="$(<"$state/kind")"
    # shellcheck source=/dev/null
    [[ ! -f "$state/$kind.record" ]] || . "$state/$kind.record"
}

# Only its owner may read the record: it has the password.
record_save() {
    (
        umask 077
        printf '%s=%q\n' bolt_port "$bolt_port" http_port "$http_port" password "$password" \
            pid "$pid" was_fast "$was_fast" >"$state/$kind.new"
    )
    mv -f "$state/$kind.new" "$state/$kind.record"
    printf '%s\n' "$kind" >"$state/kind"
}

# Runs one command at a time, so that two starts give one server. The lock is let go when this process ends;
# a server must not inherit it.
with_lock() {
    mkdir -p "$state"
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$state/lock"
        flock -w 900 9 || fail "another scripts/neo4j has been busy for 15 minutes"
    fi
    "$@"
}

# Succeeds when NEO4J_URI names a server that this script did not start.
uri_is_foreign() {
    [[ -n "${NEO4J_URI:-}" ]] || return 1
    record_load
    [[ -z "$bolt_port" || "$NEO4J_URI" != "bolt://127.0.0.1:$bolt_port" ]]
}

# Succeeds when the recorded server runs; answering is another question.
server_runs() {
    case "$kind" in
    native) native_runs ;;
    docker) docker_runs ;;
    *) return 1 ;;
    esac
}

server_start() {
    local started=$SECONDS order='docker native' choice outcome last
    if uri_is_foreign; then
        [[ "$wanted" == any ]] || fail "NEO4J_URI is set, unset it to use --$wanted"
        uri_answers "$NEO4J_URI" || fail "nothing answers at NEO4J_URI ($NEO4J_URI)"
        say "using NEO4J_URI ($NEO4J_URI), which answers"
        return 0
    fi
    record_load
    if server_runs; then
        server_already_runs
        return 0
    fi
    # The data of the last time are where the last server kept them.
    [[ "$kind" != native ]] || order='native docker'
    [[ "$wanted" == any ]] || order="$wanted"
    last="$kind"
    for choice in $order; do
        "${choice}_available" || continue
        record_load "$choice"
        was_fast="$fast"
        outcome=0
        "${choice}_start" || outcome=$?
        if ((outcome == 0)); then
            record_save
            say "$(server_words) answers after $((SECONDS - started)) s"
            [[ -z "$last" || "$last" == "$kind" ]] || warn "the data of the $last server are not in this one"
            return 0
        fi
        # A wrong password is a mistake to mend, not a reason to use another server.
        ((outcome != 2)) || exit 1
    done
    fail "no server: ${order/ / or } cannot be used here, see above; or set NEO4J_URI"
}

server_already_runs() {
    if [[ "$wanted" != any && "$wanted" != "$kind" ]]; then
        fail "the server runs already, but it is not $wanted: scripts/neo4j stop first"
    fi
    [[ "$fast" == "$was_fast" || "$fast" == no ]] || warn "it runs without --fast, stop it first to change that"
    wait_for_query "$bolt_port" "$http_port" "$password" 60 server_runs ||
        fail "it runs but does not answer: scripts/neo4j logs, scripts/neo4j stop"
    say "$(server_words) runs already"
}

# The recorded server in a few words.
server_words() {
    local words="$kind"
    [[ "$kind" != native ]] || words="native $version, process $pid"
    [[ "$was_fast" == no ]] || words="$words, fast"
    printf 'bolt://127.0.0.1:%s (%s), browser http://localhost:%s/browser/' "$bolt_port" "$words" "$http_port"
}

server_stop() {
    record_load
    if ! server_runs; then
        if uri_is_foreign; then
            say "NEO4J_URI ($NEO4J_URI) was not started here, it is left alone"
        else
            say "nothing to stop"
        fi
        return 0
    fi
    local started=$SECONDS
    "${kind}_stop"
    say "stopped after $((SECONDS - started)) s, its data stay"
}

# Loads what is running, or says that nothing is.
server_find() {
    if uri_is_foreign; then
        uri_answers "$NEO4J_URI" || fail "nothing answers at NEO4J_URI ($NEO4J_URI)"
        return 0
    fi
    record_load
    server_runs || fail "no server runs: scripts/neo4j start"
}

server_status() {
    server_find
    if uri_is_foreign; then
        say "NEO4J_URI ($NEO4J_URI) answers"
        return 0
    fi
    bolt_answers 127.0.0.1 "$bolt_port" || fail "$(server_words) runs but does not answer"
    local code
    code="$(query_status "$http_port" "$password" || true)"
    case "$code" in
    200 | 202) say "$(server_words) answers" ;;
    *) fail "$(server_words) runs but answers no query (HTTP status ${code:-none})" ;;
    esac
}

server_url() {
    server_find
    if uri_is_foreign; then
        printf '%s\n' "$NEO4J_URI"
    else
        printf 'bolt://127.0.0.1:%s\n' "$bolt_port"
    fi
}

server_env() {
    server_find
    if ! uri_is_foreign; then
        NEO4J_URI="bolt://127.0.0.1:$bolt_port"
        NEO4J_HTTP="http://127.0.0.1:$http_port"
        NEO4J_USERNAME=neo4j
        NEO4J_PASSWORD="$password"
        NEO4J_DATABASE=neo4j
    fi
    local name
    for name in NEO4J_URI NEO4J_USERNAME NEO4J_PASSWORD NEO4J_DATABASE NEO4J_HTTP; do
        [[ -z "${!name:-}" ]] || printf 'export %s=%q\n' "$name" "${!name}"
    done
}

server_logs() {
    record_load
    [[ -n "$kind" ]] || fail "no server was started here"
    "${kind}_logs"
}
