#!/usr/bin/env bash
# A user install inside of an environment.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

environment
prove
