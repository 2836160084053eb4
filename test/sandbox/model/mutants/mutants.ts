import type { Mutant } from '../../../support/mutants.ts'

/**
 * Mutants of the sandbox that the model must detect, keyed by file and name. Each mutant replaces a piece of code.
 */
const PLANTED: Readonly<Record<string, Readonly<Record<string, readonly [from: string, to: string]>>>> = {
  'records/giftcards.ts': {
    'a gift card stays active after its last cent is redeemed': [
      "=== 0 ? 'Redeemed' : 'Active'",
      "< 0 ? 'Redeemed' : 'Active'",
    ],
    'a failed redemption of too large an amount still empties the gift card': [
      'if (cents > card.remainingCents)\n',
      "if (cents > card.remainingCents) store.run('UPDATE gift_cards SET remaining_cents = 0 WHERE number = ?', card.number)\n  if (cents > card.remainingCents)\n",
    ],
    'an expired gift card can be redeemed': [
      ".status !== 'Active')",
      ".status !== 'Active' && card.status !== 'Expired')",
    ],
    'an unpaid gift card can be redeemed': ["'Active')", "'Active' && card.status !== 'AwaitingPayment')"],
    'a gift card can be redeemed with any email address': [
      'verify.email.toLowerCase() !== holder.toLowerCase()',
      'verify.email === holder.toUpperCase().toLowerCase().concat(" ")',
    ],
    "the comparison with the holder's email address is case-sensitive": [
      '.email.toLowerCase() !== holder.toLowerCase()',
      '.email !== holder',
    ],
    'an amount of 0 can be redeemed': ['return cents > 0n ? Number(cents', 'return cents >= 0n ? Number(cents'],
    'a gift card expires one millisecond too late': [
      "status = 'Active' AND expires <= ?",
      "status = 'Active' AND expires < ?",
    ],
    'subscribers are not notified about an expired gift card': [
      '(store.isLinked(String(location',
      '(!store.isLinked(String(location',
    ],
  },
  'endpoints/giftcards.ts': {
    'a fully redeemed gift card can be cancelled': [
      "if (card.status === 'Redeemed') throw refuse('fullyRedeemed', { cardNumber })\n",
      '',
    ],
    'cancelling a cancelled gift card returns 200': ['304 }', "200, body: { cardNumber, status: 'Cancelled' } }"],
    'an expired gift card cannot be cancelled': ["=== 'Cancelled'", "=== 'Cancelled' || card.status === 'Expired'"],
    'a failed redemption sends an event': ['if (redemption.isSuccess) announce(cardNumber)', 'announce(cardNumber)'],
    'expired gift cards are listed without being requested': [', false),\n    )', ", status === 'Expired'),\n    )"],
    'simultaneous writes do not see each other': [
      'const redemption = redeemCard(store, card, cents, now, verify)',
      `const held = globalThis as { seen?: Map<string, [number, typeof card]> }
  held.seen ??= new Map()
  const [until, before] = held.seen.get(cardNumber) ?? [0, card]
  const seen = until > performance.now() ? before : card
  held.seen.set(cardNumber, [performance.now() + 2, seen])
  const redemption = redeemCard(store, seen, cents, now, verify)`,
    ],
  },
  'endpoints/bookings/bookings.ts': {
    'cancelled bookings are listed only if requested': ["CancelledBookings', true", "CancelledBookings', false"],
    'mixed date filters list by the time of the booking': [' || (isByStart && (updatedFrom || updatedTo))', ''],
    'a booking of another venue is returned': [
      "if (!store.isLinked(booking.document.locationId)) throw refuse('noVenueAtLocation')\n",
      '',
    ],
  },
  'endpoints/bookings/list.ts': { 'the end of a date range is excluded': ['BETWEEN ? AND ?`', 'BETWEEN ? AND ? - 1`'] },
  'endpoints/sales.ts': {
    'the window for duplicate sales ends one millisecond late': ['< DUPLICATE_WINDOW_MS', '<= DUPLICATE_WINDOW_MS'],
    'a duplicate sale changes its booking before it is rejected': [
      "throw refuse('duplicate', { saleId })",
      `{
    const found = body.bookingId ? findVenueBooking(store, body.bookingId) : undefined
    if (found) changeBooking(store, found, { status: 'FINISHED' }, now)
    return { status: 409 as 200, body: { message: "Sale '" + saleId + "' has already been submitted." } }
  }`,
    ],
    'subscribers are not notified about a booking with a new sale': ['    announce(booking.document.bookingId)\n', ''],
    'a sale does not set the status of its booking': ['body.status ? { status: body.status } : {}', '{}'],
    'a sale is linked to a no-show booking': ["NOT IN ('CANCELLED', 'NOSHOW')", "NOT IN ('CANCELLED')"],
    'guests who have been seated for 12 hours are not found by table': ['starts <= ?', 'starts > ? - 43200000'],
    'sales without a booking are always listed': ["'LEFT ' : ''", "'LEFT ' : 'LEFT '"],
  },
  'records/sales.ts': {
    'refunds are added to the spending': ['? -Math.abs(cents) : cents', '? Math.abs(cents) : cents'],
  },
  'endpoints/webhooks.ts': {
    'a replaced subscription retains its old key': [
      'subscribe(store, event, webhookUrl, body.securityKey ?? null, body.securityToken ?? null)',
      "subscribe(store, event, webhookUrl, body.securityKey ?? ((findSubscription(store, event)?.['security_key'] ?? null) as string | null), body.securityToken ?? null)",
    ],
    'updating a subscription deletes its credentials': [
      "const key = securityKey ?? (row['security_key'] as string | null)",
      'const key = securityKey',
    ],
    'the new URL of a subscription is not verified': [
      "if (failsVerification(event, webhookUrl)) throw refuse('verificationFailed')\n    const key",
      'const key',
    ],
    'pending webhooks of a deleted subscription are still delivered': ['  dropDeliveries(store, event)\n', ''],
    'a subscription with only a token is returned as unauthenticated': [
      "row['security_key'] !== null || row['security_token'] !== null",
      "row['security_key'] !== null",
    ],
  },
  'deliveries/deliveries.ts': {
    'failed deliveries are retried too late': ['[attempts.length - 1]', '[attempts.length]'],
  },
  'deliveries/post.ts': {
    'the token of a subscription is not sent': ['...(token === null ? {} :', '...(true ? {} :'],
  },
  'endpoints/bookings/updates.ts': {
    'a party of 0 guests is accepted': ["if (pax <= 0) throw refuse('invalidPax')\n", ''],
    'guests can be moved to an occupied table': [
      'find((table) => occupied.has(table.id',
      'find((table) => occupied.has(table.name',
    ],
    'a booking conflicts with itself': ['booking.starts, ends, bookingId)(', 'booking.starts, ends)('],
  },
  'records/bookings.ts': {
    "a partner's own ID finds the oldest booking instead of the newest": ['ORDER BY rank DESC', 'ORDER BY rank ASC'],
    'changing a booking does not update its modification time': [
      'const modified = stampChange(diary, booking.modified, now)',
      'const modified = booking.modified',
    ],
  },
  'endpoints/bookings/reservations.ts': {
    'a longer reservation is given a table that is reserved after it': [
      'const free = offer.slot.tables.filter((table) => table.sectionId === sectionId && !occupied.has(table.id))',
      'const free = offer.slot.tables.filter((table) => table.sectionId === sectionId)',
    ],
    'the default status of a reservation is CONFIRMED': ['body.status || DEFAULT_STATUS', "body.status || 'CONFIRMED'"],
  },
  'venue/venue.ts': {
    'a no-show booking continues to occupy its table': [
      "['CANCELLED', 'NOSHOW', 'FINISHED']",
      "['CANCELLED', 'FINISHED']",
    ],
  },
  'endpoints/bookings/requests.ts': {
    'time takes precedence over bookingTimeAsUtc': ['.bookingTimeAsUtc) {', '.bookingTimeAsUtc && !request.time) {'],
  },
  'endpoints/customers.ts': {
    'unsubscribing a second time modifies the customer again': ['if (customer.subscribed) {', 'if (true) {'],
  },
  'endpoints/query.ts': {
    'the end of a page is one too high': ['to: start + items.length', 'to: start + items.length + 1'],
  },
  'endpoints/inbound.ts': {
    'an inbound redemption sends no event': ['  if (redemption.isSuccess) announce(cardNumber)\n', ''],
  },
  'app/caller.ts': {
    'an invalid signature is accepted': ['.valid ? null : badSignature', '.valid ? null : null'],
    'the name of another partner is accepted': ["|| parameters['partnerName'] !== PARTNER_NAME", ''],
    'a bad key is rejected only after the change': [
      'if (!failure) return next(routed)',
      'const done = await next(routed)\n    if (!failure) return done',
    ],
    'a key without a venue is accepted': ['return COMMON_FAILURES.venueNotLinked\n    case', 'return null\n    case'],
  },
  'app/rate-limit.ts': {
    'the rate limit admits one request too many': ['++counter.seen <= count', '++counter.seen <= count + 1'],
  },
}

export const MUTANTS: readonly Mutant[] = Object.entries(PLANTED).flatMap(([file, mutants]) =>
  Object.entries(mutants).map(([name, [from, to]]) => ({ name, file: `src/sandbox/${file}`, from, to })),
)
