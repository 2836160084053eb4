// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of a program, as text

export interface Mutant {
  /** The one item that it must fail. */
  readonly item: string
  readonly bug: string
  readonly from: string
  readonly to: string
}

const REDEEM = "answer = await request('POST', '/GiftCards/redeem', { cardNumber, amount })"
const STORE_FETCHED = 'store([await read(`/Bookings/${encodeURIComponent(bookingId)}`)])'

/** The bugs for each item of the checklist: the text that the reference contains once, and what the bug makes of it. */
const BUGS: Readonly<Record<string, Readonly<Record<string, readonly [from: string, to: string]>>>> = {
  'polls-without-gaps': {
    'the next poll begins when the answer came': ['({ polledUpTo: upTo }', '({ polledUpTo: new Date().toISOString() }'],
    'the mark is kept before the copy is written': [
      '  const { bookings } = await read(',
      '  keepState({ polledUpTo: upTo })\n  const { bookings } = await read(',
    ],
    'a restart forgets the mark': [
      'readState().polledUpTo ?? new Date(Date.now() - FIRST_POLL_MS).toISOString()',
      'upTo',
    ],
  },
  'keeps-to-rate-limit': {
    'tries again at once after a 429': [
      'await delay(status === 429 ? windowMs : backoffMs)',
      'if (status !== 429) await delay(backoffMs)',
    ],
    'hammers until it is let in': [
      '    const isLast = attempt === TRIES - 1',
      '    if (status === 429) {\n      attempt--\n      await delay(5)\n      continue\n    }\n    const isLast = attempt === TRIES - 1',
    ],
    'takes a 429 for the end': ['(status !== 429 && status < 500)', 'status < 500'],
  },
  'backs-off': {
    'waits as long each time': ['const backoffMs = FIRST_WAIT_MS * 2 ** attempt', 'const backoffMs = FIRST_WAIT_MS'],
    'does not wait after a 5xx': [
      'await delay(status === 429 ? windowMs : backoffMs)',
      'if (status === 429) await delay(windowMs)',
    ],
    'gives up at the first 5xx': ['(status !== 429 && status < 500)', 'status !== 429'],
  },
  'redeem-not-repeated': {
    'sends the redeem again when its answer is lost': [
      `    ${REDEEM}\n  } catch {\n    return settle(name, cardNumber, amount)`,
      `    ${REDEEM}\n  } catch {\n    ${REDEEM}`,
    ],
    'forgets what is under way, and is started again': [
      '  } catch {\n    return settle(name, cardNumber, amount)',
      "  } catch {\n    close(name)\n    throw new Error('no answer')",
    ],
    'takes a lost answer for a success': ['{\n    return settle(name, cardNumber, amount', '{\n    return close(name'],
  },
  'sale-409-accepted': {
    'takes a 409 for a failure': ['if (status !== 200 && status !== 409) throw', 'if (status !== 200) throw'],
  },
  'survives-webhooks': {
    'refuses what it has had before': [
      '    answer(200)\n',
      '    const isKnown = (serve.known ??= new Set()).has(JSON.stringify(event))\n    serve.known.add(JSON.stringify(event))\n    answer(isKnown ? 409 : 200)\n',
    ],
    'ends at an unknown event': ['if (!bookingId) return', "if (!bookingId) throw new Error('no such event')"],
    'refuses an unknown event': ['answer(200)', 'answer(/^(BOOKING|GIFTCARDS)_/.test(event.eventType) ? 200 : 400)'],
    'a late BOOKING_CREATED brings the booking back to what it was': [
      STORE_FETCHED,
      `store([{ ...((serve.first ??= await read(\`/Bookings/\${bookingId}\`)), event.eventType === 'BOOKING_CREATED' ? serve.first : await read(\`/Bookings/\${bookingId}\`)), lastModifiedDate: new Date().toISOString() }])`,
    ],
  },
  'verifies-credentials': {
    'does not look at the token': [' || !isSame(token, securityToken)) return answer(401)', ') return answer(401)'],
    'takes anything': ['if (!isSame(key, securityKey) || !isSame(token, securityToken)) return answer(401)', ''],
  },
  'signs-inbound': {
    'signs Latin-1': ['.update(body).update(url.href)', ".update(body, 'latin1').update(url.href)"],
    'signs the address without its query': ['(body).update(url.href)', '(body).update(url.origin + url.pathname)'],
    'signs {} for an empty body': ['.update(body).update(url.href)', ".update(body || '{}').update(url.href)"],
  },
  'daylight-saving-night': {
    'counts the venue an hour off in summer': [
      'copy.set(booking.bookingId, booking)',
      'copy.set(booking.bookingId, { ...booking, bookingTime: new Date(`${booking.bookingTime}+10:00`).toISOString() })',
    ],
    'takes two bookings at one local time for one': [
      'copy.set(booking.bookingId, booking)',
      'for (const [id, one] of copy) if (one.bookingTime === booking.bookingTime && one.tables.length === 0 && booking.tables.length === 0) copy.delete(id)\n    copy.set(booking.bookingId, booking)',
    ],
  },
  'cents-and-units': {
    'cuts off what a float lacks': [REDEEM, REDEEM.replace('amount })', 'amount: Math.floor(amount * 100) / 100 })')],
    'redeems cents': [REDEEM, REDEEM.replace('amount })', 'amount: amount * 100 })')],
    'sells currency units, with decimals that the service refuses': [
      "await request('POST', '/Sales', sale)",
      "await request('POST', '/Sales', { ...sale, total: { ...sale.total, amount: sale.total.amount / 1000 + 0.5 } })",
    ],
    'sells currency units': [
      "await request('POST', '/Sales', sale)",
      "await request('POST', '/Sales', { ...sale, total: { ...sale.total, amount: Math.floor(sale.total.amount / 100) } })",
    ],
  },
  'no-redirect-with-key': {
    'follows redirects': ["redirect: 'manual',\n    body: body && JSON", "redirect: 'follow',\n    body: body && JSON"],
  },
  'key-not-in-urls': {
    'has its key in the address, too': [
      'await fetch(PARTNER_BASE_URL + path, {',
      "await fetch(`${PARTNER_BASE_URL}${path}${path.includes('?') ? '&' : '?'}apiKey=${PARTNER_API_KEY}`, {",
    ],
  },
}

export const MUTANTS: readonly Mutant[] = Object.entries(BUGS).flatMap(([item, bugs]) =>
  Object.entries(bugs).map(([bug, [from, to]]) => ({ item, bug, from, to })),
)
