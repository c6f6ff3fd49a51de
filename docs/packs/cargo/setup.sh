# Sourced by the proofs of this pack: the user's toolchain with an empty home of cargo, and two small packages.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
export RUSTUP_HOME="${RUSTUP_HOME:-$user_home/.rustup}" CARGO_HOME="$place/cargo" CARGO_TERM_COLOR=never
unset CARGO_TARGET_DIR RUSTFLAGS CARGO_BUILD_TARGET CARGO_ENCODED_RUSTFLAGS
while IFS='=' read -r name _; do unset "$name"; done < <(env | grep '^CARGO_PROFILE_')
needs cargo
cargo --version >/dev/null 2>&1 || not_run "cargo does not run"
version_of cargo --version
version="${version%% (*}"

# Makes the library $1 with two tests, in the present folder.
library() {
    mkdir -p src
    printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2021"\n' "$1" >Cargo.toml
    printf '%s\n' '#[cfg(test)]' 'mod unit {' '    #[test]' '    fn adds() {}' '    #[test]' '    fn takes() {}' '}' >src/lib.rs
}

# Makes the program $1, in the present folder.
program() {
    mkdir -p src
    printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2021"\n' "$1" >Cargo.toml
    printf '%s\n' 'fn main() {}' '#[test]' 'fn starts() {}' >src/main.rs
}
