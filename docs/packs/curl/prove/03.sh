#!/usr/bin/env bash
# Sending JSON without its content type.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server
prove
