#!/usr/bin/env bash
# An index built concurrently together with another statement.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

prove
