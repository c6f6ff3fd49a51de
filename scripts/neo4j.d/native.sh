# Sourced by scripts/neo4j: the official artifacts as one JVM of this user, with data of their own.
# shellcheck shell=bash

native_home="$state/native"
native_log="$native_home/logs/console.log"

# The settings that docker-compose.yml gives the container, as lines of neo4j.conf. What the environment sets in the
# same form (NEO4J_server_memory_heap_max__size=2g) counts first.
native_settings() {
    {
        env | sed -n '/^NEO4J_[a-z][A-Za-z_]*=/p'
        sed -n 's/^ *\(NEO4J_[a-z][A-Za-z_]*\): *"\([^"$]*\)" *$/\1=\2/p' "$root/docker-compose.yml"
    } | sed -f "$parts/settings.sed" | awk -F= '!seen[$1]++'
}

# Fetches the jars once. They become visible only when all of them are there.
artifacts_fetch() {
    [[ -d "$cache/lib" ]] && return 0
    need mvn "to fetch the server" maven openjdk-17-jre-headless || return 1
    local started=$SECONDS new
    say "fetching Neo4j $version into $cache"
    mkdir -p "$cache"
    new="$(mktemp -d "$cache/lib.XXXXXX")"
    if ! mvn --batch-mode --quiet --strict-checksums --file "$parts/pom.xml" dependency:copy-dependencies \
        -DincludeScope=runtime "-DoutputDirectory=$new" </dev/null >"$cache/fetch.log" 2>&1; then
        tail -n 10 "$cache/fetch.log" >&2
        rm -rf "$new"
        warn "the artifacts could not be fetched"
        return 1
    fi
    chmod 755 "$new"
    # Another user of the cache may have been faster.
    mv -T "$new" "$cache/lib" 2>/dev/null || rm -rf "$new"
    say "fetched $(find "$cache/lib" -name '*.jar' | wc -l) files in $((SECONDS - started)) s"
}

native_available() {
    java="$(java_need)" || return 1
    artifacts_fetch
}

# Succeeds when the recorded process is still the server and not a stranger that got its number.
native_runs() {
    [[ -n "$pid" ]] && kill -0 "$pid" 2>/dev/null || return 1
    if [[ -r "/proc/$pid/cmdline" ]]; then
        tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF -- "--home-dir=$native_home "
    else
        ps -ww -o args= -p "$pid" 2>/dev/null | grep -qF -- "--home-dir=$native_home "
    fi
}

native_configure() {
    mkdir -p "$native_home"/{conf,data,import,logs,plugins,run}
    chmod 700 "$native_home"
    local settings
    settings="$(native_settings)"
    [[ -n "$settings" ]] || fail "docker-compose.yml has no settings for the server"
    cat >"$native_home/conf/neo4j.conf" <<END
# Written by scripts/neo4j at every start, from docker-compose.yml.
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:$bolt_port
server.bolt.advertised_address=localhost:$bolt_port
server.http.listen_address=127.0.0.1:$http_port
server.http.advertised_address=localhost:$http_port
server.https.enabled=false
$settings
END
}

# Sets the password while there are no data yet; afterwards the record has it.
native_password() {
    [[ ! -e "$native_home/data/databases" ]] || return 0
    password="${NEO4J_PASSWORD:-$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')}"
    ((${#password} >= 8)) || fail "NEO4J_PASSWORD: the server wants 8 characters or more"
    "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$cache/lib/*" "-Dbasedir=$native_home" \
        org.neo4j.server.startup.Neo4jAdminCommand dbms set-initial-password "$password" >/dev/null
    # Kept beside the data before they exist: a start that is cut off must not lose it.
    pid=''
    record_save
}

native_start() {
    local outcome tries limit="${NEO4J_START_SECONDS:-120}"
    # Another server may take a port between the look and the start; then others are chosen.
    for tries in 1 2 3; do
        outcome=0
        native_ports
        native_configure
        native_password
        native_launch
        if native_listens "$limit"; then
            wait_for_query "$bolt_port" "$http_port" "$password" "$limit" native_runs || outcome=$?
            ((outcome != 0)) || return 0
            break
        fi
        outcome=1
        grep -qiE 'address .*in use|BindException' "$native_log" || break
        ! native_runs || native_stop
        ((tries == 3)) || say "a port was taken meanwhile, choosing others"
    done
    ! native_runs || native_stop
    warn "the server did not start, the end of its log ($native_log):"
    tail -n 25 "$native_log" >&2
    return "$outcome"
}

native_launch() {
    local heap options=()
    heap="$(sed -n 's/^server\.memory\.heap\.max_size=//p' "$native_home/conf/neo4j.conf")"
    [[ "$was_fast" == no ]] || options+=(-XX:TieredStopAtLevel=1)
    # Its own session, so that it outlives this shell; without the lock, so that it does not hold it.
    setsid nohup "$java" "@$parts/jvm.args" "-Xmx${heap:-1g}" ${options[@]+"${options[@]}"} \
        -cp "$cache/lib/*" org.neo4j.server.CommunityEntryPoint \
        "--home-dir=$native_home" "--config-dir=$native_home/conf" --console-mode \
        </dev/null >"$native_log" 2>&1 9>&- &
    pid=$!
    record_save
}

# Waits up to $1 seconds until the server's own log says that it listens: before that, whoever answers at the port
# may be another server.
native_listens() {
    local deadline=$((SECONDS + $1))
    while ((SECONDS < deadline)); do
        ! grep -q 'HTTP enabled on' "$native_log" || return 0
        # Between fork and exec the process is not yet known by its arguments.
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}

# The ports of the last time when they are free, so that clients find the server again.
native_ports() {
    if [[ -z "$bolt_port" ]] || ! port_is_free "$bolt_port" || ! port_is_free "$http_port"; then
        bolt_port="$(port_find 7687)"
        http_port="$(port_find 7474)"
    fi
}

native_stop() {
    kill "$pid" 2>/dev/null || true
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        native_runs || return 0
        sleep 0.1
    done
    warn "process $pid did not end within 60 s, killing it"
    kill -9 "$pid" 2>/dev/null || true
}

native_logs() {
    [[ -f "$native_log" ]] || fail "no log at $native_log"
    if [[ "$follow" == yes ]]; then
        exec tail -n 100 -f "$native_log"
    fi
    tail -n 100 "$native_log"
}
