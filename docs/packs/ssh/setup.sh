# Sourced by the proofs of this pack: a server of this machine that ssh, scp and rsync reach as the host `web`.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2164
needs ssh scp sshd ssh-keygen
version="$(ssh -V 2>&1 | cut -d , -f 1 | cut -d ' ' -f 1)"
unset SSH_AUTH_SOCK SSH_ASKPASS SSH_CONNECTION
[[ "$(id -u)" == 0 ]] || not_run "the server needs root"

# Writes ssh and scp that read the configuration of the proof and nothing of the user's.
mkdir "$place/bin"
for name in ssh scp; do
    printf '#!/bin/sh\nexec "%s" -F "%s/config" "$@"\n' "$(command -v "$name")" "$place" >"$place/bin/$name"
done
sshd="$(command -v sshd)"
chmod +x "$place"/bin/*
export PATH="$place/bin:$PATH"
ssh-keygen -q -t ed25519 -N '' -f "$place/host"
ssh-keygen -q -t ed25519 -N '' -f "$place/id"
# Every command of the client runs in the folder `remote`, never in the user's own.
mkdir "$place/remote"
printf 'command="cd %s/remote && eval \\"$SSH_ORIGINAL_COMMAND\\"" %s\n' "$place" "$(cat "$place/id.pub")" >"$place/authorized"
sftp="$(find /usr/lib/openssh /usr/libexec /usr/lib/ssh -name sftp-server 2>/dev/null || true)"
sftp="${sftp%%$'\n'*}"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"

# Starts the server with further lines of configuration.
server() {
    mkdir -p /run/sshd
    printf '%s\n' "$@" "Port $port" "ListenAddress 127.0.0.1" "HostKey $place/host" "PidFile $place/sshd.pid" \
        "AuthorizedKeysFile $place/authorized" "StrictModes no" "UsePAM no" "PermitRootLogin yes" \
        "PasswordAuthentication no" "KbdInteractiveAuthentication no" >"$place/sshd_config"
    [[ "$*" == *Subsystem* ]] || echo "Subsystem sftp $sftp" >>"$place/sshd_config"
    "$sshd" -D -e -f "$place/sshd_config" 2>"$place/sshd.log" &
    leftovers+=("$!")
    wait_for grep -q listening "$place/sshd.log" || not_run "the server does not start"
}

# Gives the server the port 2222.
port_2222() {
    port=2222
    ! (exec 3<>/dev/tcp/127.0.0.1/2222) 2>/dev/null || not_run "port 2222 is taken"
}

# Writes the client's configuration with further lines. It knows the server's key and the user's.
client() {
    printf '%s\n' "Host web" "HostName 127.0.0.1" "Port $port" "User root" "$@" "UserKnownHostsFile $place/known" \
        "GlobalKnownHostsFile /dev/null" "BatchMode yes" >"$place/config"
    [[ "$*" == *IdentityFile* ]] || echo "IdentityFile $place/id" >>"$place/config"
    [[ -e "$place/known" ]] || echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 "$place/host.pub")" >"$place/known"
}
