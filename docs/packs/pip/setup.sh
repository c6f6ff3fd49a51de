# Sourced by the proofs of this pack: an environment of its own, with pip as python's own module.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs python3
while IFS='=' read -r name _; do unset "$name"; done < <(env | grep -E '^(PIP_(FIND|INDEX|EXTRA|NO|REQUIRE|USER|TARGET)|UV_|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME)')
export PIP_CACHE_DIR="$cache/pip" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 NO_COLOR=1

# Makes the environment and puts it first on PATH. To unpack pip takes seconds, so one environment is kept to copy from.
environment() {
    local first
    first="$cache/python-$(python3 -c 'import platform; print(platform.python_version())')"
    if [[ ! -d "$first" ]]; then
        mkdir -p "$cache"
        python3 -m venv "$place/first" >/dev/null 2>&1 || not_run "python3 -m venv fails"
        mv -T "$place/first" "$first" 2>/dev/null || true
    fi
    python3 -m venv --without-pip "$place/venv"
    cp -a "$first"/lib/python3*/site-packages/. "$place"/venv/lib/python3*/site-packages/
    printf '#!/bin/sh\nexec "%s" -m pip "$@"\n' "$place/venv/bin/python" >"$place/venv/bin/pip"
    chmod +x "$place/venv/bin/pip"
    export PATH="$place/venv/bin:$PATH"
    version="$(pip --version | cut -d ' ' -f 1,2), $(python --version)"
}

# The proofs of uv call it by name.
uv_needed() {
    needs uv
    version_of uv --version
    version="${version%% (*}"
    export UV_CACHE_DIR="$cache/uv" UV_PYTHON_DOWNLOADS=never UV_PYTHON_PREFERENCE=only-system
}
