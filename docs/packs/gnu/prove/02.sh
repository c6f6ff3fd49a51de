#!/usr/bin/env bash
# A replacement that holds the delimiter.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo path=ROOT >app.conf
prove
