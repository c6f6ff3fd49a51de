# Sourced by the proofs of this pack: the engine of this machine, and an image of a shell and a few programs that needs
# no registry. The lessons call it alpine, and the container web; here all have names of their own and are removed.
# shellcheck shell=bash disable=SC2034,SC2154,SC2164
needs docker tar
timeout 10 docker info >/dev/null 2>&1 || not_run "no Docker engine answers"
version="docker $(docker version --format '{{.Client.Version}}, engine {{.Server.Version}}')"
engine="$(command -v docker)"
mark="hindlore-pack-$$"

remove_all() {
    "$engine" container rm --force --volumes "$mark-web" || true
    "$engine" network rm "$mark-net" || true
    "$engine" volume rm "$mark-data" || true
    "$engine" image rm --force "$mark-image" || true
    clean_up
}
trap 'remove_all >/dev/null 2>&1' EXIT

# A docker that gives the names of the lessons to the things of this proof.
mkdir "$place/bin"
cat >"$place/bin/docker" <<END
#!/usr/bin/env bash
words=()
for word; do
    case "\$word" in
    alpine) word="$mark-image" ;;
    web | web:* | net | data | data:*) word="$mark-\$word" ;;
    *=web) word="\${word%web}$mark-web" ;;
    esac
    words+=("\$word")
done
exec "$engine" "\${words[@]}"
END
chmod +x "$place/bin/docker"
export PATH="$place/bin:$PATH"

# Makes the image with the programs below and the libraries that they load; arguments are further instructions.
image() {
    local tree="$place/tree" name program library
    mkdir -p "$tree/bin" "$tree/app"
    echo notes >"$tree/app/notes.txt"
    for name in sh cat ls sleep; do
        program="$(readlink -f "$(command -v "$name")")"
        cp "$program" "$tree/bin/$name"
        while read -r library; do cp --parents -L "$library" "$tree/"; done < <(ldd "$program" | grep -o '/[^ ]*')
    done
    tar -C "$tree" -c . | "$engine" import "$@" - "$mark-image" >/dev/null
}
