#!/usr/bin/env bash
# An address with a question mark in zsh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

zsh_needed
prove
