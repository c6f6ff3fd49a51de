#!/usr/bin/env bash
# Uninstalling without a terminal.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

environment
unset PIP_NO_INPUT
pip install --quiet six==1.16.0
prove
