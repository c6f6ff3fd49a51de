# Sourced by scripts/test: decides which Neo4j the tests use, says so, and makes it ready. The tests themselves look
# for NEO4J_URI first, then run a container of the image that docker-compose.yml names.
# shellcheck shell=bash

neo4j_started_here=no

# Succeeds when there are tests for a server and the arguments of `cargo test` do not leave them out.
neo4j_is_tested() {
    local argument others=no
    [[ -d tests/neo4j ]] || return 1
    while (($# > 0)); do
        argument="$1"
        shift
        case "$argument" in
        --) break ;;
        --test | --bench | --bin | --example)
            [[ "$argument ${1:-}" != "--test neo4j" ]] || return 0
            others=yes
            ;;
        --test=neo4j | --tests | --all-targets) return 0 ;;
        --test=* | --lib | --doc | --bins | --benches | --examples | --no-run) others=yes ;;
        esac
    done
    [[ "$others" == no ]]
}

# Makes a server ready in mode $1 (install or check) for the arguments of `cargo test` that follow.
neo4j_before_tests() {
    local mode="$1"
    shift
    neo4j_is_tested "$@" || return 0
    # A server that goes missing fails the tests; only where there is none they are ignored with the reason.
    local required="${REQUIRE_NEO4J:-}"
    export REQUIRE_NEO4J=1
    if [[ -n "${NEO4J_URI:-}" ]]; then
        echo "neo4j: the tests use NEO4J_URI ($NEO4J_URI)"
    elif [[ "$mode" == install ]]; then
        neo4j_install
    elif timeout 20 docker image inspect neo4j:5.26-community >/dev/null 2>&1; then
        echo "neo4j: the tests use containers of neo4j:5.26-community"
    else
        export REQUIRE_NEO4J="$required"
        echo "neo4j: no server, its tests will be ignored; scripts/test --install prepares one, or:"
        # shellcheck disable=SC2016 # printed as it is typed
        echo '  scripts/neo4j start && eval "$(scripts/neo4j env)" && scripts/test'
    fi
}

# A container where an engine runs, else a server of this machine's own.
neo4j_install() {
    local exports
    if scripts/neo4j image --install && scripts/neo4j try; then
        echo "neo4j: the tests use containers of neo4j:5.26-community"
        return 0
    fi
    echo "neo4j: no containers here, the tests use a native server"
    # Also for the servers that tests start themselves.
    export HINDLORE_TEST_NATIVE=1
    if ! scripts/neo4j status >/dev/null 2>&1; then
        # Times that Cypher makes have the name of this zone, unless a statement says which one it means.
        NEO4J_db_temporal_timezone=Europe/Berlin NEO4J_dbms_cypher_min__replan__interval=1h \
            scripts/neo4j start --install --native --fast || return 0
        neo4j_started_here=yes
    fi
    exports="$(scripts/neo4j env)" && eval "$exports"
}

# Says nothing: the last line is the count of the tests.
neo4j_after_tests() {
    # The address is unset, so that the server is known as one of the script's own.
    [[ "$neo4j_started_here" == no ]] || (unset NEO4J_URI && scripts/neo4j stop >/dev/null) || true
}
