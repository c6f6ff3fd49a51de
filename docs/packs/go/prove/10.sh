#!/usr/bin/env bash
# A module that is not in the workspace above it.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

mkdir old new
for name in old new; do
    printf 'module example.com/%s\n\ngo 1.21\n' "$name" >"$name/go.mod"
    printf 'package %s\n' "$name" >"$name/a.go"
done
printf 'go 1.21\n\nuse ./old\n' >go.work
prove
