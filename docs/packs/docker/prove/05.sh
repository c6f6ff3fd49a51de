#!/usr/bin/env bash
# A container whose name is taken.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
docker run --detach --name web alpine sleep 1 >/dev/null
prove
