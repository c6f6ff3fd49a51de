#!/usr/bin/env bash
# A script with the line ends of Windows in a container.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

image
printf '#!/bin/sh\r\nls /app\r\n' >start.sh
chmod +x start.sh
prove
