#!/usr/bin/env bash
# The option --no-pager belongs to git, not to its commands.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
prove
