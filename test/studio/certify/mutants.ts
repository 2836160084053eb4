// biome-ignore-all lint/suspicious/noTemplateCurlyInString: contains pieces of source code as text

export interface Mutant {
  /** The only checklist item that an integration with this bug should fail. */
  readonly item: string
  readonly bug: string
  readonly from: string
  readonly to: string
}

const REDEEM = "answer = await request('POST', '/GiftCards/redeem', { cardNumber, amount })"
const STORE_FETCHED = 'store([await read(`/Bookings/${encodeURIComponent(bookingId)}`)])'

/**
 * The bugs for each checklist item, keyed by what the faulty integration does. A bug consists of a string that occurs
 * once in the reference integration and a replacement for that string.
 */
const BUGS: Readonly<Record<string, Readonly<Record<string, readonly [from: string, to: string]>>>> = {
  'polls-without-gaps': {
    'starts the next poll at the time of the last response': [
      '({ polledUpTo: upTo }',
      '({ polledUpTo: new Date().toISOString() }',
    ],
    'stores its cursor before the copy is written': [
      '  const { bookings } = await read(',
      '  updateState({ polledUpTo: upTo })\n  const { bookings } = await read(',
    ],
    'forgets its cursor at a restart': [
      'readState().polledUpTo ?? new Date(Date.now() - FIRST_POLL_MS).toISOString()',
      'upTo',
    ],
  },
  'keeps-to-rate-limit': {
    'retries immediately after a 429': [
      'await delay(status === 429 ? windowMs : backoffMs)',
      'if (status !== 429) await delay(backoffMs)',
    ],
    'retries a 429 every 5 ms without a limit': [
      '    const isLast = attempt === TRIES - 1',
      '    if (status === 429) {\n      attempt--\n      await delay(5)\n      continue\n    }\n    const isLast = attempt === TRIES - 1',
    ],
    'gives up at a 429': ['(status !== 429 && status < 500)', 'status < 500'],
  },
  'backs-off': {
    'waits equally long before each retry': [
      'const backoffMs = FIRST_WAIT_MS * 2 ** attempt',
      'const backoffMs = FIRST_WAIT_MS',
    ],
    'does not wait after a 5xx': [
      'await delay(status === 429 ? windowMs : backoffMs)',
      'if (status === 429) await delay(windowMs)',
    ],
    'gives up at the first 5xx': ['(status !== 429 && status < 500)', 'status !== 429'],
  },
  'redeem-not-repeated': {
    'repeats a redemption whose response is lost': [
      `    ${REDEEM}\n  } catch {\n    return settle(name, cardNumber, amount)`,
      `    ${REDEEM}\n  } catch {\n    ${REDEEM}`,
    ],
    'forgets an unresolved redeem when it is restarted': [
      '  } catch {\n    return settle(name, cardNumber, amount)',
      "  } catch {\n    close(name)\n    throw new Error('no response')",
    ],
    'treats a lost response as a success': [
      '{\n    return settle(name, cardNumber, amount',
      '{\n    return close(name',
    ],
  },
  'sale-409-accepted': {
    'treats a 409 as a failure': ['if (status !== 200 && status !== 409) throw', 'if (status !== 200) throw'],
  },
  'survives-webhooks': {
    'rejects duplicate events': [
      '    answer(200)\n',
      '    const isKnown = (serve.known ??= new Set()).has(JSON.stringify(event))\n    serve.known.add(JSON.stringify(event))\n    answer(isKnown ? 409 : 200)\n',
    ],
    'crashes at an unknown event': ['if (!bookingId) return', "if (!bookingId) throw new Error('no such event')"],
    'rejects an unknown event': ['answer(200)', 'answer(/^(BOOKING|GIFTCARDS)_/.test(event.eventType) ? 200 : 400)'],
    'reverts a booking at a late BOOKING_CREATED': [
      STORE_FETCHED,
      `store([{ ...((serve.first ??= await read(\`/Bookings/\${bookingId}\`)), event.eventType === 'BOOKING_CREATED' ? serve.first : await read(\`/Bookings/\${bookingId}\`)), lastModifiedDate: new Date().toISOString() }])`,
    ],
  },
  'verifies-credentials': {
    'does not check the token': [' || !isSame(token, securityToken)) return answer(401)', ') return answer(401)'],
    'accepts any credentials': [
      'if (!isSame(key, securityKey) || !isSame(token, securityToken)) return answer(401)',
      '',
    ],
  },
  'signs-inbound': {
    'signs Latin-1': ['.update(body).update(url.href)', ".update(body, 'latin1').update(url.href)"],
    'signs the URL without its query': ['(body).update(url.href)', '(body).update(url.origin + url.pathname)'],
    'signs {} for an empty body': ['.update(body).update(url.href)', ".update(body || '{}').update(url.href)"],
  },
  'daylight-saving-night': {
    'is an hour off in summer': [
      'copy.set(booking.bookingId, booking)',
      'copy.set(booking.bookingId, { ...booking, bookingTime: new Date(`${booking.bookingTime}+10:00`).toISOString() })',
    ],
    'merges two bookings with the same local time': [
      'copy.set(booking.bookingId, booking)',
      'for (const [id, one] of copy) if (one.bookingTime === booking.bookingTime && one.tables.length === 0 && booking.tables.length === 0) copy.delete(id)\n    copy.set(booking.bookingId, booking)',
    ],
  },
  'cents-and-units': {
    'rounds amounts down to whole cents': [
      REDEEM,
      REDEEM.replace('amount })', 'amount: Math.floor(amount * 100) / 100 })'),
    ],
    'redeems in cents': [REDEEM, REDEEM.replace('amount })', 'amount: amount * 100 })')],
    'sells in currency units, with decimals that the service rejects': [
      "await request('POST', '/Sales', sale)",
      "await request('POST', '/Sales', { ...sale, total: { ...sale.total, amount: sale.total.amount / 1000 + 0.5 } })",
    ],
    'sells in currency units': [
      "await request('POST', '/Sales', sale)",
      "await request('POST', '/Sales', { ...sale, total: { ...sale.total, amount: Math.floor(sale.total.amount / 100) } })",
    ],
  },
  'no-redirect-with-key': {
    'follows redirects': ["redirect: 'manual',\n    body: body && JSON", "redirect: 'follow',\n    body: body && JSON"],
  },
  'key-not-in-urls': {
    'also sends its key in the URL': [
      'await fetch(PARTNER_BASE_URL + path, {',
      "await fetch(`${PARTNER_BASE_URL}${path}${path.includes('?') ? '&' : '?'}apiKey=${PARTNER_API_KEY}`, {",
    ],
  },
}

export const MUTANTS: readonly Mutant[] = Object.entries(BUGS).flatMap(([item, bugs]) =>
  Object.entries(bugs).map(([bug, [from, to]]) => ({ item, bug, from, to })),
)
