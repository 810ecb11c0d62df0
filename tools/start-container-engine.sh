#!/usr/bin/env bash
# Starts a container engine when none answers and this machine has one. It goes on running: ending it would end the
# containers of others.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"

answers() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }

give_up() {
  echo "container engine: $1" >&2
  case ",${RACKPROOF_REQUIRE:-}," in
    *",docker,"*)
      echo "container engine: docker is required here (RACKPROOF_REQUIRE), stopping" >&2
      exit 1
      ;;
  esac
  echo "container engine: going on without it; tests that need it will not run" >&2
  exit 0
}

if answers; then
  echo "container engine: answers"
  exit 0
fi
command -v dockerd >/dev/null || give_up "none is installed"
[ "$(id -u)" -eq 0 ] || give_up "none answers, and only root can start one"

log=$(mktemp -t rackproof-dockerd.XXXXXX)
setsid dockerd >"$log" 2>&1 </dev/null &
echo "container engine: starting one (its log: $log)"
for _ in $(seq 1 60); do
  if answers; then
    echo "container engine: answers"
    exit 0
  fi
  sleep 0.5
done
tail -n 5 "$log" >&2
give_up "it did not answer within 30 s"
