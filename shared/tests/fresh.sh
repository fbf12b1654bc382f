#!/bin/bash
# Runs the README's two commands on a bare Debian system: see usage below.
set -u
unset CDPATH

usage() {
    cat <<'END'
usage: fresh.sh SUITE [--mirror URI] [--keep DIR] [--command COMMAND]...

Makes a bare Debian (SUITE: bookworm, trixie, ...) with debootstrap in a scratch folder, clones this
repository's HEAD into it, runs there ./run_all.sh --install and ./run_all.sh --install --test, and
reports how they ended and how long they took. Needs root, debootstrap and git; about 3 GB of disk
and 15 minutes. The scratch folder is always removed at the end.

  --mirror URI       the mirror of the packages (default: the one that apt uses here)
  --keep DIR         make the system in DIR and keep it; if DIR holds a system, use that
  --command COMMAND  run this instead of the two (may be given several times)

Exit status: 0 all commands ended with 0, 1 one did not, or the system could not be made; 2 wrong
usage; 3 this system cannot do it.
END
}

stop() {
    echo "fresh.sh: $2" >&2
    exit "$1"
}
header() { printf '\n==== %s\n' "$*"; }

suite='' mirror='' keep='' commands=() inside=''
while [ $# -gt 0 ]; do
    case $1 in
    --mirror | --keep | --command | --inside)
        [ -n "${2:-}" ] || stop 2 "$1: a value is needed after it"
        case $1 in
        --mirror) mirror=$2 ;;
        --keep) keep=$2 ;;
        --command) commands+=("$2") ;;
        --inside) inside=$2 ;; # for this script's own use: the system to set up
        esac
        shift
        ;;
    --help)
        usage
        exit 0
        ;;
    -*) stop 2 "$1: unknown option (see --help)" ;;
    *)
        [ -z "$suite" ] || stop 2 "$1: one suite at a time (see --help)"
        suite=$1
        ;;
    esac
    shift
done
[[ $suite =~ ^[a-z][a-z0-9.-]*$ ]] || stop 2 "which suite? (see --help)"
[ ${#commands[@]} -gt 0 ] || commands=('./run_all.sh --install' './run_all.sh --install --test')
root=$(cd "$(dirname "$0")/../.." && pwd)

# apt_uris RELEASE: prints the URIs from which this system's apt gets that release.
apt_uris() {
    # shellcheck disable=SC2016 # apt-get, not the shell, replaces $(...)
    apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' 2>/dev/null |
        sed -n "s| $1\$||p"
}

# Prints the settings that apt needs to reach its mirror, such as a proxy.
apt_settings() {
    apt-config dump |
        grep -E '^Acquire::(https?|Check-|Retries|ForceIPv)[^ ]* "[^"]+";$'
}

# ---- inside: run in separate namespaces, whose mounts and processes end with this script ----

make_system() {
    local system=$1 here release uri
    here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    if [ -z "$mirror" ]; then
        mirror=$(apt_uris "$here" | head -n 1)
        [ -n "$mirror" ] || stop 3 "apt names no mirror of $here; --mirror says which to use"
    fi
    header "debootstrap $suite"
    debootstrap --variant=minbase "$suite" "$system" "$mirror" >"$system.log" 2>&1 ||
        { tail -n 5 "$system.log"; stop 1 "debootstrap could not make $suite from $mirror"; }
    {
        echo "deb $mirror $suite main"
        for release in updates security; do
            uri=$(apt_uris "$here-$release" | head -n 1)
            [ -z "$uri" ] || echo "deb $uri $suite-$release main"
        done
    } >"$system/etc/apt/sources.list"
    apt_settings >"$system/etc/apt/apt.conf.d/99host"
    touch "$system/.made"
}

inside() {
    local system=$1 command status started seconds failed=0 report=()
    [ -e "$system/.made" ] || make_system "$system"
    cp -L /etc/resolv.conf "$system/etc/resolv.conf"
    if ! mount -t proc proc "$system/proc" || ! mount --rbind /dev "$system/dev"; then
        stop 3 "cannot mount /proc and /dev in the new system"
    fi
    rm -rf "$system/home/workbook"
    git -c safe.directory='*' clone -q --no-hardlinks "$root" "$system/home/workbook" ||
        stop 1 "cannot clone $root"
    for command in "${commands[@]}"; do
        header "$suite: $command"
        started=$SECONDS
        chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            bash -c "cd /home/workbook && $command" </dev/null 2>&1
        status=$?
        seconds=$((SECONDS - started))
        [ $status -eq 0 ] || failed=1
        report+=("$(printf '%-8s %-36s status %d, %d s' "$suite" "$command" $status $seconds)")
    done
    header "report, at $(git -C "$system/home/workbook" log -1 --format='%h %s')"
    printf '%s\n' "${report[@]}"
    return $failed
}

if [ -n "$inside" ]; then
    inside "$inside"
    exit
fi

# ---- outside ----

[ "$(id -u)" -eq 0 ] || stop 3 "root is needed, to make a system and change into it"
for tool in debootstrap git unshare chroot apt-get; do
    command -v $tool >/dev/null || stop 3 "$tool is missing"
done
script=$(find /usr/share/debootstrap/scripts "${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts" \
    -name "$suite" 2>/dev/null | head -n 1)
[ -n "$script" ] || stop 2 "$suite: debootstrap knows no such suite"
unshare --mount --pid --fork --propagation private true 2>/dev/null ||
    stop 3 "this system does not allow namespaces and mounts"
[ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] ||
    echo "fresh.sh: note: what is not committed is left out"

child='' scratch=''
# shellcheck disable=SC2317 # a trap calls it
clean_up() {
    # The system's processes and mounts end with their namespaces, before its files are removed.
    [ -z "$child" ] || { kill -KILL "$child" && wait "$child"; } 2>/dev/null
    [ -z "$scratch" ] || rm -rf --one-file-system "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ -n "$keep" ]; then
    mkdir -p "$keep" || stop 2 "--keep $keep: cannot write there"
    system=$(cd "$keep" && pwd)/$suite
else
    scratch=$(mktemp -d) || exit 1
    system=$scratch/$suite
fi
mkdir -p "$system" || exit 1
exec {locked}<"${system%/*}" || exit 1
flock -n "$locked" ||
    stop 1 "another run is using $keep: wait for its end, or keep this one's in another DIR"
# Makes the system again if an earlier call did not finish it.
[ -e "$system/.made" ] || { rm -rf --one-file-system "$system" && mkdir "$system"; } || exit 1
arguments=(--inside "$system")
for command in "${commands[@]}"; do arguments+=(--command "$command"); done
unshare --mount --pid --fork --kill-child --propagation private \
    "$BASH" "$0" "$suite" ${mirror:+--mirror "$mirror"} "${arguments[@]}" &
child=$!
wait "$child"
status=$?
child=''
exit $status
