# Sourced by scripts/neo4j: finds the programs that a step needs, or installs the Debian packages that have them.
# shellcheck shell=bash

# Runs a command as it is when this is root.
is_root() { [[ "$(id -u)" == 0 ]]; }

# Makes sure that the packages are installed; $1 says what for. Only --install changes the system.
packages_add() {
    local purpose="$1"
    shift
    if [[ "$install" == yes ]] && is_root && command -v apt-get >/dev/null 2>&1; then
        say "installing $* ($purpose)"
        # An old package list may still be good enough, so only the installation decides.
        apt-get update -qq </dev/null >/dev/null 2>&1 || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
            </dev/null >/dev/null && return 0
        warn "could not install $*"
        return 1
    fi
    warn "missing ($purpose): $*"
    warn "  as root: apt-get update && apt-get install -y --no-install-recommends $*"
    warn "  or run this again as root with --install"
    return 1
}

# Succeeds when the program is there, or was installed; $1 program, $2 purpose, then packages.
need() {
    local program="$1"
    shift
    command -v "$program" >/dev/null 2>&1 && return 0
    packages_add "$@" && hash -r && command -v "$program" >/dev/null 2>&1
}

# Prints a Java that the server runs on (17 or 21), preferring the caller's choice.
java_find() {
    local candidate major
    for candidate in "${JAVA_HOME:+$JAVA_HOME/bin/java}" "$(command -v java || true)" \
        /usr/lib/jvm/java-17-*/bin/java /usr/lib/jvm/java-21-*/bin/java; do
        [[ -n "$candidate" && -x "$candidate" ]] || continue
        major="$("$candidate" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)"
        case "$major" in
        17 | 21)
            printf '%s\n' "$candidate"
            return 0
            ;;
        esac
    done
    return 1
}

# Prints a Java after installing one where that is allowed; messages go to stderr.
java_need() {
    java_find && return 0
    packages_add "the server needs Java 17" openjdk-17-jre-headless >&2 && java_find
}
