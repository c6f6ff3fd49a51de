#!/usr/bin/env bash
# https on a port that speaks plain HTTP.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server
prove
