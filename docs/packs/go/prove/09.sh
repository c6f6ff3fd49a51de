#!/usr/bin/env bash
# A package whose files need a build tag.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

module
mkdir it
printf '//go:build integration\n\npackage it\n' >it/it.go
prove
