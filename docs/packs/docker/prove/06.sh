#!/usr/bin/env bash
# A command in a container that has ended.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
docker run --detach --name web alpine sleep 60 >/dev/null
docker stop --time 0 web >/dev/null
prove
