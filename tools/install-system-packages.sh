#!/usr/bin/env bash
# Installs the Debian packages that some tests need. Safe to run again: what is there is left alone.
set -euo pipefail

# package | command that proves it is there, python:MODULE for a module | name in RACKPROOF_REQUIRE | why it is needed
packages=(
  "socat|socat|socat|pairs of pseudo-terminals that stand in for serial lines"
  "mbpoll|mbpoll|mbpoll|an independent Modbus master that reads the rigs"
  "qemu-system-x86|qemu-system-x86_64|qemu|the emulated gateway"
  "busybox-static|busybox|qemu|the tools inside the emulated gateway"
  "docker.io|dockerd|docker|the engine that runs contained gateways"
  "chromium|chromium|chromium|the browser that the reports are tried in"
  "postgresql|pg_ctlcluster|postgres|the database of a fleet of labs"
  "ser2net|ser2net|ser2net|serial ports over RFC 2217, as an exporter of labgrid serves them"
  "python3-venv|python:ensurepip|labgrid|the virtual environment of labgrid (tools/install-python-tools.sh)"
  "python3-cryptography|python:cryptography|python|independent verification of certificates"
)

# Some of them lie where only root looks.
PATH="$PATH:/usr/sbin:/sbin"

is_there() {
  case "$1" in
    python:*) python3 -c "import ${1#python:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=()
names=()
for entry in "${packages[@]}"; do
  IFS='|' read -r package probe name reason <<<"$entry"
  if is_there "$probe"; then
    echo "system package $package: present"
  else
    echo "system package $package: missing ($reason)"
    missing+=("$package")
    names+=("$name")
  fi
done

if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

# Tests that need a missing package report themselves as not run, unless RACKPROOF_REQUIRE names it.
give_up() {
  echo "system packages: $1" >&2
  echo "system packages: to install them yourself: apt-get install ${missing[*]}" >&2
  for name in "${names[@]}"; do
    case ",${RACKPROOF_REQUIRE:-}," in
      *",$name,"*)
        echo "system packages: $name is required here (RACKPROOF_REQUIRE), stopping" >&2
        exit 1
        ;;
    esac
  done
  echo "system packages: going on without them; tests that need them will not run" >&2
  exit 0
}

command -v apt-get >/dev/null || give_up "no apt-get on this system"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || give_up "not root, and no sudo on this system"
  as_root=(sudo)
  # With nobody at the terminal a password prompt would wait for ever.
  [ -t 0 ] || as_root=(sudo -n)
  "${as_root[@]}" true || give_up "not root, and sudo refused"
fi

echo "system packages: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq || give_up "apt-get update failed"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
  give_up "apt-get install failed"
