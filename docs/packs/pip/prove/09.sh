#!/usr/bin/env bash
# pip inside of an environment of uv.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

uv_needed
uv venv --quiet
prove
