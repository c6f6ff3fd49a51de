#!/usr/bin/env bash
# A proxy in the environment and a service on this machine.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

server
export http_proxy=http://127.0.0.1:9
prove
