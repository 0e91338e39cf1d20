#!/bin/sh
# try_in_clean_root.sh [FOLDER]: installs the packages of build/package (./dev package) in a Debian that has nothing else, in FOLDER
# (else a temporary one, which is removed), and tries what users do first: the quickstart, the window without a display, a program that embeds
# gpurt, a policy of one's own. Needs root, debootstrap, and a Debian mirror: $MIRROR, or deb.debian.org; $SUITE, or bookworm.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}
suite=${SUITE:-bookworm}
root=${1:-}
temporary=
mounted= # the root's /proc, by us
if [ -z "$root" ]; then
    root=$(mktemp -d)
    temporary=$root
fi

clean() {
    if [ -n "$mounted" ]; then umount "$root/proc"; fi
    if [ -n "$temporary" ]; then rm -rf --one-file-system "$temporary"; fi
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
ls "$here"/build/package/*.deb >/dev/null || exit 1

say() {
    printf '\n== %s\n' "$*"
}

# inside COMMAND: in the clean system.
inside() {
    printf '+ %s\n' "$*"
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        sh -euc "cd /root && $*"
}

[ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase "$suite" "$root" "$mirror"
if [ ! -e "$root/proc/self" ]; then
    mount -t proc proc "$root/proc"
    mounted=yes
fi
mkdir -p "$root/packages"
rm -f "$root"/packages/*
cp "$here"/build/package/*.deb "$root/packages/"

quickstart=/usr/share/gpurt/scenarios/quickstart.json # for programs that know no names

say "the programs, without what they only recommend"
inside "apt-get -qq update && apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /packages/gpurt_*.deb"
inside "gpurt --version && gpurt-calib --version"
inside "gpurt run quickstart --gantt=0ms,60ms"
inside "gpurt run quickstart --policy hardware --quiet --fail-on-miss \
    --set 'tasks[0].stream_priority=-1'"
inside "gpurt verify quickstart --patterns 50"
inside "gpurt export png quickstart --to 60ms -o q.png && test -s q.png"
inside "gpurt papers --list >papers.txt && head -3 papers.txt"
inside "gpurt scenarios >scenarios.txt && head -3 scenarios.txt"
inside "gpurt check --run quickstart drone-orin"
inside "gpurt-calib list --backend=sim"

say "the window, without a display"
inside "apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /packages/gpurt-view_*.deb"
inside "printf '%s\n' 'command jump 30ms' 'expect at 30 ms' 'key n enter 3' 'screenshot miss.png' >miss.script"
inside "SDL_VIDEODRIVER=dummy gpurt-view quickstart --size 1000x560 --script miss.script && test -s miss.png"

say "sweeps on several processes"
inside "apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /packages/gpurt-mpi_*.deb openmpi-bin"
inside "gpurt sweep first --samples 20 --quiet --csv one.csv"
inside "mpirun --allow-run-as-root --oversubscribe -n 2 gpurt sweep first --samples 20 --quiet --csv two.csv"
inside "cmp one.csv two.csv"

say "a program that embeds gpurt, and a policy outside the tree"
inside "apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /packages/libgpurt*.deb gcc libc6-dev pkg-config"
examples=/usr/share/gpurt/examples
inside "cc -std=c17 $examples/embed/embed.c \$(pkg-config --cflags --libs gpurt) -o embed"
inside "./embed $quickstart np-edf"
inside "cc -std=c17 -O2 -fPIC -shared \$(pkg-config --cflags gpurt-plugin) -o llf.so $examples/llf/llf.c"
inside "gpurt run quickstart --policy ./llf.so"
inside "gpurt verify quickstart --policy ./llf.so --patterns 50"
inside "./embed $quickstart ./llf.so"

say "and away again"
inside "apt-get -qq -o Dpkg::Use-Pty=0 purge -y 'gpurt*' 'libgpurt*' && ! find /usr -name '*gpurt*' | grep ."
say "all of it works"
