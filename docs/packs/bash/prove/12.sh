#!/usr/bin/env bash
# A variable named status in zsh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

zsh_needed
prove
