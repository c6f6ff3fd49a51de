# Sourced by the proofs of this pack: npm with a cache of its own and no configuration of the user.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs node npm
version="npm $(npm --version), node $(node --version)"
while IFS='=' read -r name _; do unset "$name"; done < <(env | grep -i '^npm_config_')
export npm_config_cache="$cache/npm" npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false npm_config_prefer_offline=true
export NO_COLOR=1 CI=true
# npx keeps the packages that it has fetched, and would find them in the next proof.
rm -rf "$npm_config_cache/_npx"

# The proofs of pnpm call it by name.
pnpm_needed() {
    needs pnpm
    version="pnpm $(pnpm --version), node $(node --version)"
    export pnpm_config_store_dir="$cache/pnpm"
}
