#!/usr/bin/env bash
# A support engineer's morning, as a user would type it. To run it manually: PARTNER=./bin/run.js bash test/acceptance/support-engineers-morning.sh
set -euo pipefail

PARTNER=$(realpath "${PARTNER:-$(dirname "$0")/../../bin/run.js}")
partner() { "$PARTNER" "$@"; }
json() { node -pe "const it = JSON.parse(fs.readFileSync(0, 'utf8')); $1"; }
step() { printf '\n== %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
is() { [ "$1" = "$2" ] || fail "expected '$2', got '$1'"; }

desk=$(mktemp -d)
export PARTNER_CONFIG_DIR=$desk/config PARTNER_DATA_DIR=$desk/data PARTNER_CACHE_DIR=$desk/cache
unset PARTNER_PROFILE PARTNER_BASE_URL PARTNER_API_KEY PARTNER_OUTPUT
cd "$desk"

step 'Start the service on this machine; one line of JSON has its address and key'
"$PARTNER" sandbox start --data :memory: --json > sandbox.json &
sandbox=$!
trap 'kill $sandbox 2> /dev/null || true; wait $sandbox || true; rm -rf "$desk"' EXIT
until [ -s sandbox.json ]; do sleep 0.1; done
url=$(json it.baseUrl < sandbox.json)

step 'Add a profile, with its key from standard input instead of an argument'
json it.apiKey < sandbox.json | partner profiles add morning --base-url "$url" --timezone Australia/Sydney --api-key-stdin

step 'Check it'
partner profiles check
is "$(partner profiles check --json | json it.ok)" true

step 'Write the bookings that changed in the last 24 hours to a file, one per line'
partner bookings list --updated-from 24h -o ndjson > changed.ndjson
printf '%s bookings changed\n' "$(wc -l < changed.ndjson)"
[ -s changed.ndjson ] || fail 'nothing changed'
id=$(head -n 1 changed.ndjson | json it.bookingId)

step 'Show one of them'
partner bookings get "$id"
is "$(partner bookings get "$id" --json | json it.bookingId)" "$id"

step 'Make a reservation in a free slot of the schedule'
read -r service section time < <(partner bookings schedule --from tomorrow --to +5d --people 2 --json | json "
  it.flatMap((day) => day.services).flatMap((service) => service.times.flatMap((at) => at.sections
    .filter((section) => section.sectionState)
    .map((section) => [service.id, section.id, at.time].join(' '))))[0]")
made=$(partner reservations create --people 2 --service "$service" --section "$section" --time-utc "$time" \
  --first-name Ada --last-name Ng --phone '+61 400 000 000' --notes 'by the window' --json)
is "$(json it.bookingStatus <<< "$made")" Unconfirmed
partner bookings get "$(json it.bookingId <<< "$made")"

step 'Redeem part of a gift card, and read the new balance'
card=GIFT1-00000100-AAAA
balance() { partner giftcards get "$card" --json | json it.remainingAmount; }
is "$(balance)" 100
partner giftcards redeem "$card" --amount 37.25 --notes 'table 12'
is "$(balance)" 62.75

step 'Try to redeem more than the balance: the service rejects it, and the exit code is 10'
code=0
partner giftcards redeem "$card" --amount 62.76 > refused.out 2> refused.err || code=$?
is "$code" 10
[ ! -s refused.out ] || fail 'a refusal printed data'
cat refused.err
grep -qx 'error: The amount is more than the remaining balance of the gift card.' refused.err || fail 'other words'
is "$(balance)" 62.75

step 'Cancel the card twice; the second time is not a failure'
partner giftcards cancel "$card" --yes
is "$(partner giftcards get "$card" --json | json it.status)" Cancelled
again=$(partner giftcards cancel "$card" --yes --json)
is "$(json it.changed <<< "$again")" false

step 'A good morning'
