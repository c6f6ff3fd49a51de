# Sourced by scripts/neo4j: an image of the name that docker-compose.yml pins, from Debian packages and the official
# artifacts, for machines that reach no image registry. It takes the same environment as the registry's image.
#
# DEBIAN_MIRROR is where Debian's packages come from; without it, where this machine's own apt has them from. Neither is
# left in the image.
# shellcheck shell=bash

image_suite=bookworm
image_packages=openjdk-17-jre-headless,tini,procps,ca-certificates
image_label=hindlore.inputs
# Everything that a change of makes another image.
image_inputs=(Dockerfile entry jvm.args pom.xml settings.sed image.sh)

image_digest() { (cd "$parts" && cat "${image_inputs[@]}" | sha256sum | cut -c 1-16); }

# Succeeds when nothing is to be done: the image is ours and current, or it came from elsewhere.
image_is_current() {
    local label
    image_exists || return 1
    label="$(docker image inspect --format "{{ index .Config.Labels \"$image_label\" }}" "$docker_image")"
    case "$label" in
    "" | "<no value>") say "$docker_image is here, not built by this script: it is left as it is" ;;
    "$(image_digest)") say "$docker_image is here and current" ;;
    *) return 1 ;;
    esac
}

image_build() {
    local started=$SECONDS context base old
    # Asked for alone, a build does not fall back to the native server: what is missing is then said in full.
    [[ "$command" != image ]] || wanted=docker
    engine_need || return 1
    ! image_is_current || return 0
    old="$(docker image inspect --format '{{ .Id }}' "$docker_image" 2>/dev/null || true)"
    base="$(dirname "$cache")/$image_suite-java17-$(uname -m).tar"
    artifacts_need && base_make "$base" || return 1
    context="$(mktemp -d "$cache/context.XXXXXX")" || return 1
    say "building $docker_image"
    local outcome=0
    # Hard links: the context is half a gigabyte.
    ln "$base" "$context/base.tar" && cp -al "$cache/lib" "$context/lib" &&
        cp "$parts"/{Dockerfile,entry,jvm.args,settings.sed} "$context/" &&
        docker build --quiet --tag "$docker_image" --build-arg "VERSION=$version" \
            --label "$image_label=$(image_digest)" "$context" </dev/null >/dev/null || outcome=1
    rm -rf "$context"
    ((outcome == 0)) || return 1
    # The image that lost its name, unless a container still runs on it.
    [[ -z "$old" ]] || docker image rm "$old" >/dev/null 2>&1 || true
    say "built $docker_image ($version) in $((SECONDS - started)) s"
}

# Succeeds when a container of the image answers a query: an engine may run whose containers nobody reaches.
image_answers() {
    local container bolt_port http_port outcome=0 key=tests-only-0
    container="$(docker run --detach --publish 127.0.0.1::7687 --publish 127.0.0.1::7474 --env "NEO4J_AUTH=neo4j/$key" \
        "$docker_image" </dev/null)" || return 1
    bolt_port="$(docker port "$container" 7687/tcp | sed -n 's/.*://p' | head -n 1)"
    http_port="$(docker port "$container" 7474/tcp | sed -n 's/.*://p' | head -n 1)"
    wait_for_query "$bolt_port" "$http_port" "$key" "${NEO4J_START_SECONDS:-180}" container_lives "$container" ||
        outcome=1
    if ((outcome != 0)); then
        warn "a container of $docker_image does not answer, the end of its log:"
        docker logs --tail 25 "$container" >&2 || true
    fi
    docker rm --force --volumes "$container" >/dev/null 2>&1 || true
    return "$outcome"
}

container_lives() { [[ "$(docker inspect --format '{{ .State.Running }}' "$1" 2>/dev/null)" == true ]]; }

artifacts_need() { [[ -d "$cache/lib" ]] || artifacts_fetch; }

# Prints where the packages come from: DEBIAN_MIRROR, else the source of this machine, where that is a Debian with the suite.
base_mirror() {
    local mirror="${DEBIAN_MIRROR:-}"
    if [[ -z "$mirror" ]] && command -v apt-get >/dev/null 2>&1; then
        # shellcheck disable=SC2016 # apt's own placeholders
        mirror="$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' \
            2>/dev/null | awk -v suite="$image_suite" '$2 == suite && $3 == "main" { print $1; exit }')"
    fi
    if [[ -z "$mirror" ]]; then
        warn "this machine's apt has no source of Debian's $image_suite (main), which the image's base is made of"
        warn "set DEBIAN_MIRROR, add one to /etc/apt/sources.list.d and run apt-get update, or use the registry's $docker_image"
        return 1
    fi
    printf '%s\n' "$mirror"
}

# Makes the base file system $1, once: a small Debian with Java, and the server's user and folders.
base_make() {
    local started=$SECONDS tree mirror
    [[ ! -f "$1" ]] || return 0
    need debootstrap "to build the image's base" debootstrap || return 1
    if ! is_root; then
        warn "the image's base is made by debootstrap, which needs root"
        return 1
    fi
    mirror="$(base_mirror)" || return 1
    say "making the base file system"
    mkdir -p "$cache"
    tree="$(mktemp -d "$cache/base.XXXXXX")"
    if ! debootstrap --variant=minbase "--include=$image_packages" "$image_suite" "$tree" "$mirror" \
        </dev/null >"$cache/debootstrap.log" 2>&1 || ! base_furnish "$tree" ||
        ! tar --numeric-owner --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' \
            -C "$tree" -cf "$1.new" .; then
        tail -n 10 "$cache/debootstrap.log" >&2
        rm -rf --one-file-system "$tree" "$1.new"
        warn "the base file system could not be made"
        return 1
    fi
    mv "$1.new" "$1"
    rm -rf --one-file-system "$tree"
    say "made the base file system in $((SECONDS - started)) s"
}

base_furnish() {
    local tree="$1"
    # Where this machine gets its packages is of no use elsewhere.
    rm -rf "$tree"/etc/apt/sources.list "$tree"/etc/apt/sources.list.d/* \
        "$tree"/var/cache/apt/* "$tree"/var/lib/apt/lists/* "$tree"/var/log/*.log \
        "$tree"/usr/share/{doc,man,locale,info}/*
    chroot "$tree" groupadd --gid 7474 neo4j &&
        chroot "$tree" useradd --no-create-home --uid 7474 --gid 7474 --home-dir /var/lib/neo4j \
            --shell /usr/sbin/nologin neo4j &&
        mkdir -p "$tree"/{data,logs,import,plugins} "$tree"/var/lib/neo4j/{conf,run} &&
        chown -R 7474:7474 "$tree"/{data,logs,import,plugins} "$tree/var/lib/neo4j"
}
