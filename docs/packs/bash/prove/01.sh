#!/usr/bin/env bash
# A bash script run by sh.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

cat >run.sh <<'END'
set -e
[[ "$HOME" == /* ]] || exit 1
echo done
END
prove
