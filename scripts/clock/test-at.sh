#!/usr/bin/env bash
# Runs tests as if it were another time: scripts/clock/test-at.sh TIME [arguments for vitest run]
#   scripts/clock/test-at.sh '2026-11-23 19:50' test/acceptance     a local time of the sandbox's venue
#   scripts/clock/test-at.sh 2026-12-31T23:58Z                      an instant
# libfaketime moves the clock of every process that the tests start by the same offset. This works for Node, bash,
# Python, Chromium and PostgreSQL. File times stay real, because the kernel sets them.
set -euo pipefail
cd "$(dirname "$0")/../.."

at=$(date -d "TZ=\"Australia/Sydney\" ${1:?usage: scripts/clock/test-at.sh TIME [what vitest run takes]}" +%s)
shift
library=$(find /usr/lib -name libfaketime.so.1 -print -quit)
if [ -z "$library" ]; then
  echo "libfaketime is not installed: apt-get install libfaketime" >&2
  exit 1
fi
offset=$((at - $(date +%s)))
printf 'the clock is moved by %d seconds: %s\n' "$offset" "$(date -u -d "@$at" +%FT%TZ)"
export PATH=$PWD/node_modules/.bin:$PATH
# Removes the files that libfaketime leaves behind when a process is killed. If another user later gets the same process ID,
# that user could not replace the files.
for file in /dev/shm/*faketime_s[eh]m_*; do [ -e "/proc/${file##*_}" ] || rm -f "$file"; done
# Timers use the monotonic clock, which libfaketime must not move.
exec env LD_PRELOAD="$library" FAKETIME="$(printf '%+d' "$offset")" \
  FAKETIME_DONT_FAKE_MONOTONIC=1 vitest run "$@"
