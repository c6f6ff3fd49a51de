#!/usr/bin/env bash
# A patch written by hand with wrong line counts.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
printf '%s\n' 'diff --git a/README.md b/README.md' '--- a/README.md' '+++ b/README.md' '@@ -1,3 +1,4 @@' '-one' '+two' >fix.patch
prove
