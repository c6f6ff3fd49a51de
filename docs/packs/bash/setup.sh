# Sourced by the proofs of this pack: bash, and a plain sh that has none of its extensions.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs bash dash
version_of bash --version
mkdir "$place/bin"
ln -s "$(command -v dash)" "$place/bin/sh"
export PATH="$place/bin:$PATH"

# The proofs of zsh call it by name.
zsh_needed() {
    needs zsh
    version_of zsh --version
    touch "$HOME/.zshrc"
}
