#!/usr/bin/env bash
# try-package.mjs in a bare Debian, without a route: try-package-on-debian.sh [ROOT_FOLDER [ARCHIVE]]
# ROOT_FOLDER is a debootstrap of the variant minbase; by default .cache/debian, made (as root) when it is not there. Node.js is
# copied into it from this machine, as it is one file: it must not be newer than that Debian's C library allows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=${1:-.cache/debian}
archive=${2:-$(ls -t dist-package/*.tar.gz | head -1)}

if [ ! -x "$root/bin/sh" ]; then
  command -v debootstrap > /dev/null || { echo 'debootstrap is not installed: name a folder that has a Debian' >&2; exit 1; }
  debootstrap --variant=minbase bookworm "$root" > /dev/null
fi
# Copied, because the folder is the whole world of what runs there.
install -D "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
mkdir -p "$root/opt/try"
cp scripts/try-package.mjs scripts/running-service.mjs "$archive" "$archive.sha256" "$root/opt/try/"
echo "Debian $(cat "$root/etc/debian_version"), $(chroot "$root" dpkg --list | grep -c '^ii') packages" >&2
# The namespaces end with the command, and the mounts with them.
scripts/without-network.sh unshare --mount --pid --fork bash -euo pipefail -c '
  mount -t proc proc "$0/proc"
  mount --rbind /dev "$0/dev"
  mount -t tmpfs tmpfs "$0/tmp"
  exec chroot "$0" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin node /opt/try/try-package.mjs "/opt/try/$1"' "$root" "$(basename "$archive")"
