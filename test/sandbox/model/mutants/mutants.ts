import type { Mutant } from '../../../support/mutants.ts'

const SANDBOX = 'src/sandbox'
const CARDS = `${SANDBOX}/records/giftcards.ts`
const ENDPOINTS = `${SANDBOX}/endpoints`
const WEBHOOKS = `${ENDPOINTS}/webhooks.ts`
const UPDATES = `${ENDPOINTS}/bookings/updates.ts`
const RESERVATIONS = `${ENDPOINTS}/bookings/reservations.ts`
const LIST = `${ENDPOINTS}/bookings/list.ts`
const CALLER = `${SANDBOX}/app/caller.ts`

/** What is planted in the sandbox: the model has to notice it. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a card whose last cent is redeemed stays active',
    file: CARDS,
    from: "left === 0 ? 'Redeemed' : 'Active'",
    to: "left < 0 ? 'Redeemed' : 'Active'",
  },
  {
    name: 'a redeem that asks for too much takes what is left, and fails',
    file: CARDS,
    from: 'if (cents > card.remainingCents)\n',
    to: "if (cents > card.remainingCents) store.run('UPDATE gift_cards SET remaining_cents = 0 WHERE number = ?', card.number)\n  if (cents > card.remainingCents)\n",
  },
  {
    name: 'an expired card can be redeemed',
    file: CARDS,
    from: "if (card.status !== 'Active') return failed(",
    to: "if (card.status !== 'Active' && card.status !== 'Expired') return failed(",
  },
  {
    name: 'a card that is not paid for can be redeemed',
    file: CARDS,
    from: "if (card.status !== 'Active') return failed(",
    to: "if (card.status !== 'Active' && card.status !== 'AwaitingPayment') return failed(",
  },
  {
    name: 'anybody may redeem a card that was issued to somebody',
    file: CARDS,
    from: 'verify.email.toLowerCase() !== holder.toLowerCase()',
    to: 'verify.email === holder.toUpperCase().toLowerCase().concat(" ")',
  },
  {
    name: 'the address of a card counts in its case',
    file: CARDS,
    from: 'verify.email.toLowerCase() !== holder.toLowerCase()',
    to: 'verify.email !== holder',
  },
  {
    name: 'nothing can be redeemed, with success',
    file: CARDS,
    from: 'return cents > 0n ? Number(cents) : null',
    to: 'return cents >= 0n ? Number(cents) : null',
  },
  {
    name: 'a card lives a millisecond too long',
    file: CARDS,
    from: "status = 'Active' AND expires <= ?",
    to: "status = 'Active' AND expires < ?",
  },
  {
    name: 'nobody hears of a card that has expired',
    file: CARDS,
    from: 'if (store.isLinked(String(location))) queueEvent',
    to: 'if (!store.isLinked(String(location))) queueEvent',
  },
  {
    name: 'a card that is fully redeemed can be cancelled',
    file: `${ENDPOINTS}/giftcards.ts`,
    from: "if (card.status === 'Redeemed') throw refuse('fullyRedeemed', { cardNumber })\n",
    to: '',
  },
  {
    name: 'a card that is cancelled already gives 200',
    file: `${ENDPOINTS}/giftcards.ts`,
    from: 'return { status: 304 }',
    to: "return { status: 200, body: { cardNumber, status: 'Cancelled' } }",
  },
  {
    name: 'a card that has expired cannot be cancelled',
    file: `${ENDPOINTS}/giftcards.ts`,
    from: "if (card.status === 'Cancelled') return",
    to: "if (card.status === 'Cancelled' || card.status === 'Expired') return",
  },
  {
    name: 'a redeem that fails is an event',
    file: `${ENDPOINTS}/giftcards.ts`,
    from: 'if (redemption.isSuccess) announce(cardNumber)',
    to: 'announce(cardNumber)',
  },
  {
    name: 'expired cards are listed unasked',
    file: `${ENDPOINTS}/giftcards.ts`,
    from: ', false),\n  )',
    to: ", status === 'Expired'),\n  )",
  },
  {
    name: 'cancelled bookings are listed only when they are asked for',
    file: `${ENDPOINTS}/bookings/bookings.ts`,
    from: "'IncludeCancelledBookings', true",
    to: "'IncludeCancelledBookings', false",
  },
  {
    name: 'mixed dates list by the time of the booking',
    file: `${ENDPOINTS}/bookings/bookings.ts`,
    from: ' || (isByStart && (updatedFrom || updatedTo))',
    to: '',
  },
  {
    name: 'the end of the dates is left out',
    file: LIST,
    from: 'BETWEEN ? AND ?`',
    to: 'BETWEEN ? AND ? - 1`',
  },
  {
    name: 'a booking of another venue is shown',
    file: `${ENDPOINTS}/bookings/bookings.ts`,
    from: "if (!store.isLinked(booking.document.locationId)) throw refuse('noVenueAtLocation')\n",
    to: '',
  },
  {
    name: 'the dead line of a duplicate sale comes a millisecond late',
    file: `${ENDPOINTS}/sales.ts`,
    from: 'now - before < DUPLICATE_WINDOW_MS',
    to: 'now - before <= DUPLICATE_WINDOW_MS',
  },
  {
    name: 'a duplicate sale is refused after its booking was changed',
    file: `${ENDPOINTS}/sales.ts`,
    from: "throw refuse('duplicate', { saleId })",
    to: `{
    const found = body.bookingId ? findVenueBooking(store, body.bookingId) : undefined
    if (found) changeBooking(store, found, { status: 'FINISHED' }, now)
    return { status: 409 as 200, body: { message: "Sale '" + saleId + "' has already been submitted." } }
  }`,
  },
  {
    name: 'nobody hears of a booking that is paid',
    file: `${ENDPOINTS}/sales.ts`,
    from: '    announce(booking.document.bookingId)\n',
    to: '',
  },
  {
    name: 'a sale leaves the status of its booking as it was',
    file: `${ENDPOINTS}/sales.ts`,
    from: 'body.status ? { status: body.status } : {}',
    to: '{}',
  },
  {
    name: 'a sale is linked to guests who did not come',
    file: `${ENDPOINTS}/sales.ts`,
    from: "status NOT IN ('CANCELLED', 'NOSHOW')",
    to: "status NOT IN ('CANCELLED')",
  },
  {
    name: 'guests who have been seated for half a day are not found by their table',
    file: `${ENDPOINTS}/sales.ts`,
    from: "status = 'SEATED' AND starts <= ?",
    to: "status = 'SEATED' AND starts > ? - 43200000",
  },
  {
    name: 'a sale that is linked to no booking is listed, whatever the venue was told',
    file: `${ENDPOINTS}/sales.ts`,
    from: "listsUnlinkedSales(store) ? 'LEFT ' : ''",
    to: "listsUnlinkedSales(store) ? 'LEFT ' : 'LEFT '",
  },
  {
    name: 'what was given back counts as spent',
    file: `${SANDBOX}/records/sales.ts`,
    from: '? -Math.abs(cents) : cents',
    to: '? Math.abs(cents) : cents',
  },
  {
    name: 'a subscription that is replaced keeps its old key',
    file: WEBHOOKS,
    from: 'put(store, event, webhookUrl, body.securityKey ?? null, body.securityToken ?? null)',
    to: "put(store, event, webhookUrl, body.securityKey ?? ((find(store, event)?.['security_key'] ?? null) as string | null), body.securityToken ?? null)",
  },
  {
    name: 'an update of a subscription loses its credentials',
    file: WEBHOOKS,
    from: "const key = securityKey ?? (row['security_key'] as string | null)",
    to: 'const key = securityKey',
  },
  {
    name: 'an update of a subscription is not verified',
    file: WEBHOOKS,
    from: "if (failsVerification(event, webhookUrl)) throw refuse('verificationFailed')\n  const key",
    to: 'const key',
  },
  {
    name: 'a subscription that is deleted still gets what waits for it',
    file: WEBHOOKS,
    from: '  dropDeliveries(store, event)\n',
    to: '',
  },
  {
    name: 'a subscription with a token alone is shown without credentials',
    file: WEBHOOKS,
    from: "row['security_key'] !== null || row['security_token'] !== null",
    to: "row['security_key'] !== null",
  },
  {
    name: 'what could not be delivered is tried again too late',
    file: `${SANDBOX}/deliveries/deliveries.ts`,
    from: 'RETRY_LADDER_MS[attempts.length - 1]',
    to: 'RETRY_LADDER_MS[attempts.length]',
  },
  {
    name: 'the token of a subscription is not sent',
    file: `${SANDBOX}/deliveries/post.ts`,
    from: "if (subscription['security_token'] !== null)",
    to: 'if (false)',
  },
  {
    name: 'nobody need come: 0 guests are a party',
    file: UPDATES,
    from: "if (pax <= 0) throw refuse('invalidPax')\n",
    to: '',
  },
  {
    name: 'an ID of the partner leads to its oldest booking',
    file: `${SANDBOX}/records/bookings.ts`,
    from: 'ORDER BY rank DESC',
    to: 'ORDER BY rank ASC',
  },
  {
    name: 'a booking that is changed looks as if it were not',
    file: `${SANDBOX}/records/bookings.ts`,
    from: 'const modified = stampChange(diary, booking.modified, now)',
    to: 'const modified = booking.modified',
  },
  {
    name: 'guests are moved to a table that is taken',
    file: UPDATES,
    from: 'const conflict = tables.find((table) => taken.has(table.id))',
    to: 'const conflict = tables.find((table) => taken.has(table.name))',
  },
  {
    name: 'a booking is in its own way',
    file: UPDATES,
    from: '      booking.document.bookingId,\n    )\n    const taken',
    to: '    )\n    const taken',
  },
  {
    name: 'a reservation that stays longer is put on the table of the next',
    file: RESERVATIONS,
    from: 'const free = offer.slot.tables.filter((table) => table.sectionId === sectionId && !taken.has(table.id))',
    to: 'const free = offer.slot.tables.filter((table) => table.sectionId === sectionId)',
  },
  {
    name: 'a reservation starts as confirmed',
    file: RESERVATIONS,
    from: 'body.status || DEFAULT_STATUS',
    to: "body.status || 'CONFIRMED'",
  },
  {
    name: 'guests who did not come keep their table',
    file: `${SANDBOX}/venue/venue.ts`,
    from: "new Set(['CANCELLED', 'NOSHOW', 'FINISHED'])",
    to: "new Set(['CANCELLED', 'FINISHED'])",
  },
  {
    name: 'the local time wins over that in UTC',
    file: `${ENDPOINTS}/bookings/requests.ts`,
    from: 'if (request.bookingTimeAsUtc) {',
    to: 'if (request.bookingTimeAsUtc && !request.time) {',
  },
  {
    name: 'a customer who unsubscribes twice is changed twice',
    file: `${ENDPOINTS}/customers.ts`,
    from: 'if (customer.subscribed) {',
    to: 'if (true) {',
  },
  {
    name: 'a page ends one too late',
    file: `${ENDPOINTS}/query.ts`,
    from: 'to: start + items.length',
    to: 'to: start + items.length + 1',
  },
  {
    name: 'an inbound redeem is no event',
    file: `${ENDPOINTS}/inbound.ts`,
    from: '  if (redemption.isSuccess) announce(cardNumber)\n',
    to: '',
  },
  {
    name: 'a signature need not be right',
    file: CALLER,
    from: 'verify(given, signed).valid ? null : badSignature',
    to: 'verify(given, signed).valid ? null : null',
  },
  {
    name: 'the signature of another partner will do',
    file: CALLER,
    from: "|| parameters['partnerName'] !== PARTNER_NAME",
    to: '',
  },
  {
    name: 'a bad key is refused after the change',
    file: CALLER,
    from: 'if (!refused) return next(routed)',
    to: 'const done = await next(routed)\n    if (!refused) return done',
  },
  {
    name: 'a key without a venue is good',
    file: CALLER,
    from: 'return COMMON_FAILURES.venueNotLinked\n    case SANDBOX_KEYS.noVenue',
    to: 'return null\n    case SANDBOX_KEYS.noVenue',
  },
  {
    name: 'one request more than the limit is let through',
    file: `${SANDBOX}/app/rate-limit.ts`,
    from: '++counter.seen <= count',
    to: '++counter.seen <= count + 1',
  },
  {
    name: 'writes that come at once do not see each other',
    file: `${ENDPOINTS}/giftcards.ts`,
    from: 'const redemption = takeFrom(store, card, cents, now, verify)',
    to: `const held = globalThis as { seen?: Map<string, [number, typeof card]> }
  held.seen ??= new Map()
  const [until, before] = held.seen.get(cardNumber) ?? [0, card]
  const seen = until > performance.now() ? before : card
  held.seen.set(cardNumber, [performance.now() + 2, seen])
  const redemption = takeFrom(store, seen, cents, now, verify)`,
  },
]
