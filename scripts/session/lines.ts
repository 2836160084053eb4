/** The commands in the README's first session. They are run against a new sandbox. */
export const LINES = [
  'partner bookings list --date tomorrow --include-customer --limit 3',
  'partner reservations create --people 2 --service dinner --section terrace --time "tomorrow 19:00" \\\n  --first-name Ada --last-name Ng --phone +61400000000 --yes',
  'partner giftcards redeem GIFT2-00005025-AAAA --amount 10.25 --yes',
  'partner giftcards get GIFT2-00005025-AAAA --query remainingAmount',
]
