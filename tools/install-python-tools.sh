#!/usr/bin/env bash
# Installs the Python programs that some tests need into `.cache/python`. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

labgrid=26.0.1
folder=.cache/python

if [ "$("$folder/bin/python" -c 'import importlib.metadata as m; print(m.version("labgrid"))' 2>/dev/null)" = "$labgrid" ]; then
  echo "python tools: labgrid $labgrid present"
  exit 0
fi
echo "python tools: installing labgrid $labgrid"
if python3 -m venv --clear "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "labgrid==$labgrid"; then
  exit 0
fi
case ",${RACKPROOF_REQUIRE:-}," in
  *",labgrid,"*)
    echo "python tools: labgrid is required here (RACKPROOF_REQUIRE), stopping" >&2
    exit 1
    ;;
esac
echo "python tools: going on without labgrid; tests that need it will not run" >&2
