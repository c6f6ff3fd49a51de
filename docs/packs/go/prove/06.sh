#!/usr/bin/env bash
# Building outside of a module.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

printf 'package main\n\nfunc main() {}\n' >main.go
prove
