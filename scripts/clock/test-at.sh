#!/usr/bin/env bash
# Runs tests as if it were another time: scripts/clock/test-at.sh TIME [what vitest run takes]
#   scripts/clock/test-at.sh '2026-11-23 19:50' test/acceptance     a time of the sandbox's venue
#   scripts/clock/test-at.sh 2026-12-31T23:58Z                      or an instant
# The clock of every process that the tests start is moved by the same offset, and runs on from there. libfaketime does that, so
# it holds for Node, bash, Python, Chromium and PostgreSQL alike. The kernel's times of files stay the real ones.
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
# A process that was killed leaves files of libfaketime behind. Another user's process with the same ID could not replace them.
for file in /dev/shm/*faketime_s[eh]m_*; do [ -e "/proc/${file##*_}" ] || rm -f "$file"; done
# Timers use the monotonic clock, which stays.
exec env LD_PRELOAD="$library" FAKETIME="$(printf '%+d' "$offset")" \
  FAKETIME_DONT_FAKE_MONOTONIC=1 vitest run "$@"
