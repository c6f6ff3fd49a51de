# Sourced by scripts/team: the images of the engine and of the proxy.
# shellcheck shell=bash

engine_image=hindlore:local
proxy_image=haproxy:2.6

# Builds the engine as one static program and puts it into an image; cargo and the builder know what is current.
engine_image_build() {
    local host context version
    host="$(rustc -vV | sed -n 's/^host: //p')"
    context="$root/target/image"
    say "building the static program (the first time takes minutes)"
    # glibc 2.34 and later have the resolver inside, so that a static program finds names, too.
    RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" \
        cargo build --quiet --release --locked --manifest-path "$root/Cargo.toml" --bin hindlore --features full --target "$host" \
        --target-dir "$root/target/static" || return 1
    rm -rf "$context"
    mkdir -p "$context/etc/ssl/certs" "$context/hindlore.d"
    cp "$root/target/static/$host/release/hindlore" "$context/" || return 1
    strip "$context/hindlore" 2>/dev/null || true
    "$root/scripts/supply-chain" notices "$context/THIRD-PARTY-NOTICES" || return 1
    printf 'hindlore:x:65532:65532::/var/lib/hindlore:/sbin/nologin\n' >"$context/etc/passwd"
    printf 'hosts: files dns\n' >"$context/etc/nsswitch.conf"
    if [[ -f /etc/ssl/certs/ca-certificates.crt ]]; then
        cp -L /etc/ssl/certs/ca-certificates.crt "$context/etc/ssl/certs/"
    fi
    version="$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)"
    cp "$here/Dockerfile" "$context/Dockerfile"
    docker build --quiet --tag "$engine_image" --build-arg "VERSION=$version" "$context" </dev/null >/dev/null &&
        say "built $engine_image, $(($(stat -c %s "$context/hindlore") >> 20)) MiB"
}

# The registry's image where it can be had, else one of Debian's package.
proxy_image_need() {
    docker image inspect "$proxy_image" >/dev/null 2>&1 && return 0
    say "fetching $proxy_image"
    timeout 120 docker pull --quiet "$proxy_image" </dev/null >/dev/null 2>&1 && return 0
    say "$proxy_image cannot be fetched, building it"
    need debootstrap "to build the proxy's image" debootstrap || return 1
    if ! is_root; then
        warn "the proxy's image is made by debootstrap, which needs root"
        return 1
    fi
    local mirror tree context outcome=0
    mirror="$(base_mirror)" || return 1
    mkdir -p "$cache"
    tree="$(mktemp -d "$cache/proxy.XXXXXX")"
    context="$(mktemp -d "$cache/context.XXXXXX")"
    debootstrap --variant=minbase --include=haproxy "$image_suite" "$tree" "$mirror" \
        </dev/null >"$cache/debootstrap.log" 2>&1 || outcome=1
    if ((outcome == 0)); then
        rm -rf "$tree"/etc/apt/sources.list "$tree"/etc/apt/sources.list.d/* \
            "$tree"/var/cache/apt/* "$tree"/var/lib/apt/lists/* "$tree"/usr/share/{doc,man,locale,info}/*
        tar --numeric-owner --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' \
            -C "$tree" -cf "$context/base.tar" . && cp "$here/proxy.Dockerfile" "$context/Dockerfile" &&
            docker build --quiet --tag "$proxy_image" "$context" </dev/null >/dev/null || outcome=1
    else
        tail -n 10 "$cache/debootstrap.log" >&2
    fi
    rm -rf --one-file-system "$tree" "$context"
    ((outcome == 0)) && say "built $proxy_image"
}
