#!/usr/bin/env bash
# The command source in sh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

echo MODE=fast >env.sh
prove
