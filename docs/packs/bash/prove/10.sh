#!/usr/bin/env bash
# A pattern without a match in zsh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

zsh_needed
prove
