#!/usr/bin/env bash
# Building a module whose root holds no package.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

module
prove
