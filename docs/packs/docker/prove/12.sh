#!/usr/bin/env bash
# A script that may not be executed.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
printf '#!/bin/sh\nls /app\n' >start.sh
prove
