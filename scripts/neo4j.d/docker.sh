# Sourced by scripts/neo4j: the container of docker-compose.yml, and the engine that runs it.
# shellcheck shell=bash

docker_image="$(sed -n 's/^ *image: *\(neo4j:.*\)$/\1/p' "$root/docker-compose.yml")"
docker_project="${COMPOSE_PROJECT_NAME:-hindlore}"

engine_answers() { timeout 20 docker info >/dev/null 2>&1; }

# Succeeds when a process of that name lives; a dead one that nobody has collected yet still has its name.
lives() {
    local file
    for file in /proc/[0-9]*/status; do
        awk -v name="$1" '/^Name:/ { named = ($2 == name) } /^State:/ { exit !(named && $2 != "Z") }' \
            "$file" 2>/dev/null && return 0
    done
    return 1
}

# A killed engine leaves its process id files; when the numbers belong to others, the next engine does not start.
engine_forget() {
    lives dockerd && return 0
    rm -f /var/run/docker.pid
    lives containerd || rm -f /var/run/docker/containerd/containerd.pid
}

# Makes sure that an engine answers, starting one as root where it is installed.
engine_need() {
    need docker "to run containers" docker.io docker-compose debootstrap || return 1
    engine_answers && return 0
    if ! command -v dockerd >/dev/null 2>&1; then
        if [[ "$install" == no && "$wanted" == any ]]; then
            warn "no Docker engine here"
            return 1
        fi
        need dockerd "to run containers" docker.io docker-compose debootstrap || return 1
        engine_answers && return 0
    fi
    if ! is_root; then
        warn "the Docker engine does not run, and only root can start it"
        return 1
    fi
    engine_start
}

engine_start() {
    local started=$SECONDS engine log="$state/dockerd.log"
    mkdir -p "$state"
    if [[ -d /run/systemd/system ]]; then
        systemctl start docker || true
    else
        engine_forget
        setsid nohup dockerd </dev/null >"$log" 2>&1 9>&- &
        engine=$!
    fi
    while ((SECONDS < started + 60)); do
        if engine_answers; then
            say "started the Docker engine in $((SECONDS - started)) s"
            return 0
        fi
        [[ -z "${engine:-}" ]] || kill -0 "$engine" 2>/dev/null || break
        sleep 0.3
    done
    warn "the Docker engine did not start"
    [[ ! -f "$log" ]] || tail -n 10 "$log" >&2
    return 1
}

# Runs compose 2 where it is there, else docker-compose, on the project's file.
compose() {
    local tool=(docker-compose)
    ! docker compose version >/dev/null 2>&1 || tool=(docker compose)
    NEO4J_PASSWORD="$password" NEO4J_BOLT_PORT="$bolt_port" NEO4J_HTTP_PORT="$http_port" \
        NEO4J_JVM="$([[ "$was_fast" == no ]] || echo -XX:TieredStopAtLevel=1)" \
        "${tool[@]}" --project-name "$docker_project" --file "$root/docker-compose.yml" "$@"
}

compose_need() {
    docker compose version >/dev/null 2>&1 || need docker-compose "to read docker-compose.yml" docker-compose
}

image_exists() { docker image inspect "$docker_image" >/dev/null 2>&1; }

# The registry's image where it can be had, else one of our own.
image_need() {
    image_exists && return 0
    say "fetching $docker_image"
    timeout 300 docker pull --quiet "$docker_image" </dev/null && return 0
    say "$docker_image cannot be fetched, building it"
    image_build
}

docker_available() {
    if [[ "$wanted" == any && "$install" == no ]] && ! command -v docker >/dev/null 2>&1; then
        warn "no Docker here"
        return 1
    fi
    engine_need && compose_need && image_need
}

docker_container() {
    docker ps --quiet --filter "label=com.docker.compose.project=$docker_project" \
        --filter label=com.docker.compose.service=neo4j 2>/dev/null | head -n 1
}

docker_runs() { [[ -n "$(docker_container)" ]]; }

# The ports of a container that somebody started by hand, else those of the last time when they are free.
docker_ports() {
    local container
    container="$(docker_container)"
    if [[ -n "$container" ]]; then
        bolt_port="$(docker port "$container" 7687/tcp | sed -n 's/.*://p' | head -n 1)"
        http_port="$(docker port "$container" 7474/tcp | sed -n 's/.*://p' | head -n 1)"
    elif [[ -z "$bolt_port" ]] || ! port_is_free "$bolt_port" || ! port_is_free "$http_port"; then
        bolt_port="$(port_find 7687)"
        http_port="$(port_find 7474)"
    fi
}

docker_start() {
    local outcome=0
    docker_ports
    # The volume outlives the record, so the password is the compose file's own where none is given.
    password="${NEO4J_PASSWORD:-${password:-hindlore}}"
    compose up --detach neo4j </dev/null || return 1
    wait_for_query "$bolt_port" "$http_port" "$password" "${NEO4J_START_SECONDS:-180}" docker_runs || outcome=$?
    ((outcome != 0)) || return 0
    warn "the container does not answer, the end of its log:"
    compose logs --tail 25 neo4j >&2
    ((outcome != 2)) ||
        warn "set NEO4J_PASSWORD to the password of the volume ${docker_project}_data, or remove that volume"
    compose down </dev/null || true
    return "$outcome"
}

docker_stop() { compose down </dev/null; }

docker_logs() {
    local options=(--tail 100)
    [[ "$follow" == no ]] || options+=(--follow)
    compose logs "${options[@]}" neo4j
}
