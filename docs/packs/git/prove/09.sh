#!/usr/bin/env bash
# A worktree of a branch that is checked out elsewhere.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

repository
prove
