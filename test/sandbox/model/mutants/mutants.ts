import type { Mutant } from '../../../support/mutants.ts'

/** What is planted in the sandbox, by file and name: what is replaced, and by what. The model has to notice it. */
const PLANTED: Readonly<Record<string, Readonly<Record<string, readonly [from: string, to: string]>>>> = {
  'records/giftcards.ts': {
    'a card whose last cent is redeemed stays active': ["=== 0 ? 'Redeemed' : 'Active'", "< 0 ? 'Redeemed' : 'Active'"],
    'a redeem that asks for too much takes what is left, and fails': [
      'if (cents > card.remainingCents)\n',
      "if (cents > card.remainingCents) store.run('UPDATE gift_cards SET remaining_cents = 0 WHERE number = ?', card.number)\n  if (cents > card.remainingCents)\n",
    ],
    'an expired card can be redeemed': [".status !== 'Active')", ".status !== 'Active' && card.status !== 'Expired')"],
    'a card that is not paid for can be redeemed': ["'Active')", "'Active' && card.status !== 'AwaitingPayment')"],
    'anybody may redeem a card that was issued to somebody': [
      'verify.email.toLowerCase() !== holder.toLowerCase()',
      'verify.email === holder.toUpperCase().toLowerCase().concat(" ")',
    ],
    'the address of a card counts in its case': ['.email.toLowerCase() !== holder.toLowerCase()', '.email !== holder'],
    'nothing can be redeemed, with success': ['return cents > 0n ? Number(cents', 'return cents >= 0n ? Number(cents'],
    'a card lives a millisecond too long': ["status = 'Active' AND expires <= ?", "status = 'Active' AND expires < ?"],
    'nobody hears of a card that has expired': ['(store.isLinked(String(location', '(!store.isLinked(String(location'],
  },
  'endpoints/giftcards.ts': {
    'a card that is fully redeemed can be cancelled': [
      "if (card.status === 'Redeemed') throw refuse('fullyRedeemed', { cardNumber })\n",
      '',
    ],
    'a card that is cancelled already gives 200': ['304 }', "200, body: { cardNumber, status: 'Cancelled' } }"],
    'a card that has expired cannot be cancelled': ["=== 'Cancelled'", "=== 'Cancelled' || card.status === 'Expired'"],
    'a redeem that fails is an event': ['if (redemption.isSuccess) announce(cardNumber)', 'announce(cardNumber)'],
    'expired cards are listed unasked': [', false),\n    )', ", status === 'Expired'),\n    )"],
    'writes that come at once do not see each other': [
      'const redemption = takeFrom(store, card, cents, now, verify)',
      `const held = globalThis as { seen?: Map<string, [number, typeof card]> }
  held.seen ??= new Map()
  const [until, before] = held.seen.get(cardNumber) ?? [0, card]
  const seen = until > performance.now() ? before : card
  held.seen.set(cardNumber, [performance.now() + 2, seen])
  const redemption = takeFrom(store, seen, cents, now, verify)`,
    ],
  },
  'endpoints/bookings/bookings.ts': {
    'cancelled bookings are listed only when they are asked for': [
      "CancelledBookings', true",
      "CancelledBookings', false",
    ],
    'mixed dates list by the time of the booking': [' || (isByStart && (updatedFrom || updatedTo))', ''],
    'a booking of another venue is shown': [
      "if (!store.isLinked(booking.document.locationId)) throw refuse('noVenueAtLocation')\n",
      '',
    ],
  },
  'endpoints/bookings/list.ts': { 'the end of the dates is left out': ['BETWEEN ? AND ?`', 'BETWEEN ? AND ? - 1`'] },
  'endpoints/sales.ts': {
    'the dead line of a duplicate sale comes a millisecond late': ['< DUPLICATE_WINDOW_MS', '<= DUPLICATE_WINDOW_MS'],
    'a duplicate sale is refused after its booking was changed': [
      "throw refuse('duplicate', { saleId })",
      `{
    const found = body.bookingId ? findVenueBooking(store, body.bookingId) : undefined
    if (found) changeBooking(store, found, { status: 'FINISHED' }, now)
    return { status: 409 as 200, body: { message: "Sale '" + saleId + "' has already been submitted." } }
  }`,
    ],
    'nobody hears of a booking that is paid': ['    announce(booking.document.bookingId)\n', ''],
    'a sale leaves the status of its booking as it was': ['body.status ? { status: body.status } : {}', '{}'],
    'a sale is linked to guests who did not come': ["NOT IN ('CANCELLED', 'NOSHOW')", "NOT IN ('CANCELLED')"],
    'guests who have been seated for half a day are not found by their table': ['starts <= ?', 'starts > ? - 43200000'],
    'a sale that is linked to no booking is listed, whatever the venue was told': ["'LEFT ' : ''", "'LEFT ' : 'LEFT '"],
  },
  'records/sales.ts': {
    'what was given back counts as spent': ['? -Math.abs(cents) : cents', '? Math.abs(cents) : cents'],
  },
  'endpoints/webhooks.ts': {
    'a subscription that is replaced keeps its old key': [
      'put(store, event, webhookUrl, body.securityKey ?? null, body.securityToken ?? null)',
      "put(store, event, webhookUrl, body.securityKey ?? ((find(store, event)?.['security_key'] ?? null) as string | null), body.securityToken ?? null)",
    ],
    'an update of a subscription loses its credentials': [
      "const key = securityKey ?? (row['security_key'] as string | null)",
      'const key = securityKey',
    ],
    'an update of a subscription is not verified': [
      "if (failsVerification(event, webhookUrl)) throw refuse('verificationFailed')\n    const key",
      'const key',
    ],
    'a subscription that is deleted still gets what waits for it': ['  dropDeliveries(store, event)\n', ''],
    'a subscription with a token alone is shown without credentials': [
      "row['security_key'] !== null || row['security_token'] !== null",
      "row['security_key'] !== null",
    ],
  },
  'deliveries/deliveries.ts': {
    'what could not be delivered is tried again too late': ['[attempts.length - 1]', '[attempts.length]'],
  },
  'deliveries/post.ts': {
    'the token of a subscription is not sent': ['...(token === null ? {} :', '...(true ? {} :'],
  },
  'endpoints/bookings/updates.ts': {
    'nobody need come: 0 guests are a party': ["if (pax <= 0) throw refuse('invalidPax')\n", ''],
    'guests are moved to a table that is taken': [
      'find((table) => taken.has(table.id',
      'find((table) => taken.has(table.name',
    ],
    'a booking is in its own way': ['booking.starts, ends, bookingId)(', 'booking.starts, ends)('],
  },
  'records/bookings.ts': {
    'an ID of the partner leads to its oldest booking': ['ORDER BY rank DESC', 'ORDER BY rank ASC'],
    'a booking that is changed looks as if it were not': [
      'const modified = stampChange(diary, booking.modified, now)',
      'const modified = booking.modified',
    ],
  },
  'endpoints/bookings/reservations.ts': {
    'a reservation that stays longer is put on the table of the next': [
      'const free = offer.slot.tables.filter((table) => table.sectionId === sectionId && !taken.has(table.id))',
      'const free = offer.slot.tables.filter((table) => table.sectionId === sectionId)',
    ],
    'a reservation starts as confirmed': ['body.status || DEFAULT_STATUS', "body.status || 'CONFIRMED'"],
  },
  'venue/venue.ts': {
    'guests who did not come keep their table': ["['CANCELLED', 'NOSHOW', 'FINISHED']", "['CANCELLED', 'FINISHED']"],
  },
  'endpoints/bookings/requests.ts': {
    'the local time wins over that in UTC': ['.bookingTimeAsUtc) {', '.bookingTimeAsUtc && !request.time) {'],
  },
  'endpoints/customers.ts': {
    'a customer who unsubscribes twice is changed twice': ['if (customer.subscribed) {', 'if (true) {'],
  },
  'endpoints/query.ts': { 'a page ends one too late': ['to: start + items.length', 'to: start + items.length + 1'] },
  'endpoints/inbound.ts': {
    'an inbound redeem is no event': ['  if (redemption.isSuccess) announce(cardNumber)\n', ''],
  },
  'app/caller.ts': {
    'a signature need not be right': ['.valid ? null : badSignature', '.valid ? null : null'],
    'the signature of another partner will do': ["|| parameters['partnerName'] !== PARTNER_NAME", ''],
    'a bad key is refused after the change': [
      'if (!refused) return next(routed)',
      'const done = await next(routed)\n    if (!refused) return done',
    ],
    'a key without a venue is good': ['return COMMON_FAILURES.venueNotLinked\n    case', 'return null\n    case'],
  },
  'app/rate-limit.ts': {
    'one request more than the limit is let through': ['++counter.seen <= count', '++counter.seen <= count + 1'],
  },
}

export const MUTANTS: readonly Mutant[] = Object.entries(PLANTED).flatMap(([file, mutants]) =>
  Object.entries(mutants).map(([name, [from, to]]) => ({ name, file: `src/sandbox/${file}`, from, to })),
)
