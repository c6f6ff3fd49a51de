# Sourced by scripts/verify, scripts/test and .ci/run: makes sure that a C compiler (for the bundled SQLite)
# and a recent enough Rust are there. `prepare check` says what to install; `prepare install` installs it,
# as root by apt-get, and by rustup where that is present.
# shellcheck shell=bash

prepare_root="$(CDPATH='' cd -- "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# The oldest Rust that builds the project, as Cargo.toml states it.
required_rust() {
    sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' "$prepare_root/Cargo.toml" | head -n 1
}

# Succeeds when `cargo` runs and is at least of version $1 (major.minor).
cargo_is_recent() {
    local found wanted_major wanted_minor major minor
    found="$(cd "$prepare_root" && cargo --version 2>/dev/null | awk '{ print $2 }')" || return 1
    IFS=. read -r wanted_major wanted_minor _ <<<"$1"
    IFS=. read -r major minor _ <<<"$found"
    [[ -n "$major" && -n "$minor" ]] || return 1
    ((major > wanted_major || (major == wanted_major && minor >= wanted_minor)))
}

# Adds clippy and rustfmt to a toolchain of rustup that lacks them; scripts/verify names them otherwise.
prepare_components() {
    cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1 && return 0
    command -v rustup >/dev/null 2>&1 || return 0
    rustup component add clippy rustfmt </dev/null || true
}

prepare_compiler() {
    local compiler has_apt=no
    # CC may carry arguments or a wrapper, as in `ccache gcc`.
    read -r compiler _ <<<"${CC:-cc}"
    command -v "$compiler" >/dev/null 2>&1 && return 0
    command -v apt-get >/dev/null 2>&1 && has_apt=yes
    if [[ "$1" == install && "$has_apt" == yes && "$(id -u)" == 0 ]]; then
        echo "no C compiler found, installing build-essential"
        # An old package list may still be good enough, so only the installation decides.
        apt-get update -qq </dev/null || true
        DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends build-essential </dev/null || true
        command -v "$compiler" >/dev/null 2>&1 && return 0
    fi
    echo "a C compiler is missing: the bundled SQLite is built from C" >&2
    if [[ "$has_apt" == yes ]]; then
        echo "  as root: apt-get update && apt-get install -y build-essential" >&2
    else
        echo "  install clang or gcc with your package manager (macOS: xcode-select --install)" >&2
    fi
    return 1
}

prepare_rust() {
    local wanted
    wanted="$(required_rust)"
    if ! command -v cargo >/dev/null 2>&1 && [[ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]]; then
        export PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    if cargo_is_recent "$wanted"; then
        [[ "$1" == install ]] && prepare_components
        return 0
    fi
    if [[ "$1" == install ]] && command -v rustup >/dev/null 2>&1; then
        echo "no Rust $wanted or later found, installing it with rustup"
        rustup toolchain install "$wanted" --profile minimal --component clippy --component rustfmt </dev/null ||
            true
        export RUSTUP_TOOLCHAIN="$wanted"
        cargo_is_recent "$wanted" && return 0
    fi
    echo "Rust $wanted or later is missing (found: $(cargo --version 2>/dev/null || echo none))" >&2
    if command -v rustup >/dev/null 2>&1; then
        echo "  rustup toolchain install $wanted --component clippy --component rustfmt && rustup default $wanted" >&2
    else
        echo "  install rustup from https://rustup.rs, then: rustup toolchain install $wanted" >&2
    fi
    return 1
}

# Checks both and reports both, so that one run tells everything that is missing.
prepare() {
    local missing=0
    prepare_compiler "$1" || missing=1
    prepare_rust "$1" || missing=1
    return "$missing"
}
