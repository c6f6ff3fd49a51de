# Sourced by scripts/neo4j: asks a server whether it is there, with nothing but bash, so that no client is needed.
# shellcheck shell=bash

# Succeeds when nothing listens on the port of this machine.
port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Prints the first free port from $1 on. Ports below the ephemeral range are not taken by outgoing connections,
# so that a server finds its port again after a crash.
port_find() {
    local port
    for ((port = $1; port < $1 + 200; port++)); do
        if port_is_free "$port"; then
            printf '%s\n' "$port"
            return 0
        fi
    done
    fail "no free port from $1 on"
}

# Succeeds when a Bolt server on host $1, port $2 agrees on version 4.4 or 5: two zeros come back, then the version.
# A port that speaks something else answers with other bytes.
bolt_answers() {
    local answer
    # shellcheck disable=SC2016 # expanded by the inner shell
    answer="$(timeout 5 bash -c '
        exec 3<>"/dev/tcp/$0/$1" || exit 1
        printf "\x60\x60\xb0\x17\0\0\4\4\0\x8\x8\5\0\0\0\0\0\0\0\0" >&3
        head -c 4 <&3 | od -An -tx1 | tr -d " \n"
    ' "$1" "$2" 2>/dev/null)" || return 1
    [[ "$answer" == 0000???? && "$answer" != 00000000 ]]
}

# Prints the HTTP status code of `RETURN 1` asked at port $1 with password $2, nothing when nobody answers.
# 202 and 200 are success, 401 is a wrong password, 404 a database that is not ready.
query_status() {
    local body='{"statement":"RETURN 1"}' credentials
    credentials="$(printf '%s:%s' "${NEO4J_USERNAME:-neo4j}" "$2" | base64 | tr -d '\n')"
    printf 'POST /db/%s/query/v2 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic %s\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
        "${NEO4J_DATABASE:-neo4j}" "$credentials" "${#body}" "$body" |
        timeout 10 bash -c '
            exec 3<>"/dev/tcp/127.0.0.1/$0" || exit 1
            cat >&3
            head -n 1 <&3
        ' "$1" 2>/dev/null | awk '{ print $2 }'
}

# Waits until the server at Bolt port $1 and HTTP port $2 answers a query with password $3; gives up after $4
# seconds, or at once when the check $5… fails, which says that the server is gone.
wait_for_query() {
    local bolt_port="$1" http_port="$2" password="$3" limit="$4" code=''
    local deadline=$((SECONDS + limit))
    shift 4
    while ((SECONDS < deadline)); do
        "$@" || return 1
        if bolt_answers 127.0.0.1 "$bolt_port"; then
            code="$(query_status "$http_port" "$password" || true)"
            case "$code" in
            200 | 202) return 0 ;;
            401 | 403)
                warn "the server refuses the password: its data were made with another one"
                return 2
                ;;
            esac
        fi
        sleep 0.2
    done
    warn "no answer to a query within $limit s (Bolt port $bolt_port, HTTP status ${code:-none})"
    return 1
}

# Splits a Neo4j URI into `scheme host port`.
uri_parts() {
    local scheme rest host port
    scheme="${1%%://*}"
    rest="${1#*://}"
    rest="${rest%%[/?]*}"
    rest="${rest##*@}"
    case "$rest" in
    \[*\]:*) host="${rest%:*}" port="${rest##*:}" ;;
    \[*\]) host="$rest" port=7687 ;;
    *:*) host="${rest%:*}" port="${rest##*:}" ;;
    *) host="$rest" port=7687 ;;
    esac
    host="${host#\[}"
    printf '%s %s %s\n' "$scheme" "${host%\]}" "$port"
}

# Succeeds when something answers at a URI. An encrypted one is only connected to: its handshake needs a client.
uri_answers() {
    local scheme host port
    read -r scheme host port <<<"$(uri_parts "$1")"
    case "$scheme" in
    bolt | neo4j) bolt_answers "$host" "$port" ;;
    bolt+s | bolt+ssc | neo4j+s | neo4j+ssc)
        # shellcheck disable=SC2016 # expanded by the inner shell
        timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$host" "$port" 2>/dev/null
        ;;
    *) fail "NEO4J_URI: unknown scheme \`$scheme\`, expected bolt, neo4j, or either with +s or +ssc" ;;
    esac
}
