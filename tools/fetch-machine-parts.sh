#!/usr/bin/env bash
# Fetches what the emulated gateway needs for another processor than that of this machine: Debian's kernel, busybox and
# libraries, and Node. Nothing is installed: everything is unpacked into one folder, which is replaced.
#
#   tools/fetch-machine-parts.sh arm64 [FOLDER]
#
# FOLDER: default $RACKPROOF_MACHINE_PARTS, else machine-parts in the cache of rackproof.
set -euo pipefail

name="${1:-}"
case "$name" in
  arm64) debian=arm64 ;;
  x64) debian=amd64 ;;
  *)
    echo "fetch-machine-parts: expected arm64 or x64, found '$name'" >&2
    exit 2
    ;;
esac
cache="${RACKPROOF_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rackproof}"
shelf="${2:-${RACKPROOF_MACHINE_PARTS:-$cache/machine-parts}}"
package_json="$(dirname "$0")/../package.json"

for tool in apt-get dpkg-deb npm; do
  command -v "$tool" >/dev/null || {
    echo "fetch-machine-parts: missing: $tool. Fix: run this on a Debian machine with npm, and copy the folder" >&2
    exit 1
  }
done

mkdir -p "$shelf"
work="$(mktemp -d "$shelf/fetching-XXXXXX")"
trap 'rm -rf "$work"' EXIT
# The user that apt downloads as must reach it.
chmod 755 "$work"

# Lists of packages of its own, from the sources of this machine: those of the system stay as they are.
mkdir -p "$work/apt/lists/partial" "$work/apt/archives/partial" "$work/debs" "$work/new/root" "$work/new/node"
chmod 777 "$work/debs"
apt=(-qq -o "Dir::State=$work/apt" -o "Dir::State::status=/dev/null" -o "Dir::Cache=$work/apt"
  -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o "Acquire::Languages=none")
apt-get "${apt[@]}" update
kernel="$(apt-cache "${apt[@]}" depends "linux-image-cloud-$debian" | sed -n 's/.*Depends: \(linux-image-\S*\).*/\1/p' | head -1)"
[ -n "$kernel" ] || {
  echo "fetch-machine-parts: apt-cache found no linux-image-cloud-$debian. Fix: add a Debian source to apt" >&2
  exit 1
}
(cd "$work/debs" && apt-get "${apt[@]}" download "$kernel" busybox-static libc6 libstdc++6 libgcc-s1)
for deb in "$work"/debs/*.deb; do dpkg-deb --extract "$deb" "$work/new/root"; done

# The same Node that this project runs on.
version="$(sed -n 's/^ *"node": "\([0-9.]*\)",*$/\1/p' "$package_json")"
(cd "$work" && npm pack --silent "node-linux-$name@$version" >/dev/null)
tar --extract --gzip --file "$work/node-linux-$name-$version.tgz" --directory "$work/new/node" --strip-components 1 package/bin/node package/package.json

rm -rf "${shelf:?}/$name"
mv "$work/new" "$shelf/$name"
echo "fetch-machine-parts: $shelf/$name: $kernel, Node $version"
