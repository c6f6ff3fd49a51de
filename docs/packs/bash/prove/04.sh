#!/usr/bin/env bash
# A script with the line ends of Windows.
# shellcheck source=docs/packs/prove.sh
. "${PROVE:-${BASH_SOURCE[0]%/*}/../../prove.sh}"

printf '#!/usr/bin/env bash\r\necho done\r\n' >run.sh
chmod +x run.sh
prove
