// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of a program, as text

/** A copy of the reference integration with one bug. */
export interface Mutant {
  /** The one item that it must fail. */
  readonly item: string
  readonly bug: string
  /** What stands in the reference, once. */
  readonly from: string
  readonly to: string
}

const REDEEM = "answer = await request('POST', '/GiftCards/redeem', { cardNumber, amount })"
const STORE_FETCHED = 'store([await read(`/Bookings/${encodeURIComponent(bookingId)}`)])'

/** A bug or more for each item of the checklist. */
export const MUTANTS: readonly Mutant[] = [
  {
    item: 'polls-without-gaps',
    bug: 'the next poll begins when the answer came',
    from: 'keepState({ polledUpTo: upTo })',
    to: 'keepState({ polledUpTo: new Date().toISOString() })',
  },
  {
    item: 'polls-without-gaps',
    bug: 'the mark is kept before the copy is written',
    from: '  const { bookings } = await read(',
    to: '  keepState({ polledUpTo: upTo })\n  const { bookings } = await read(',
  },
  {
    item: 'polls-without-gaps',
    bug: 'a restart forgets the mark',
    from: 'readState().polledUpTo ?? new Date(Date.now() - FIRST_POLL_MS).toISOString()',
    to: 'upTo',
  },
  {
    item: 'keeps-to-rate-limit',
    bug: 'tries again at once after a 429',
    from: 'await delay(status === 429 ? windowMs : backoffMs)',
    to: 'if (status !== 429) await delay(backoffMs)',
  },
  {
    item: 'keeps-to-rate-limit',
    bug: 'hammers until it is let in',
    from: '    const isLast = attempt === TRIES - 1',
    to: '    if (status === 429) {\n      attempt--\n      await delay(5)\n      continue\n    }\n    const isLast = attempt === TRIES - 1',
  },
  {
    item: 'keeps-to-rate-limit',
    bug: 'takes a 429 for the end',
    from: '(status !== 429 && status < 500)',
    to: 'status < 500',
  },
  {
    item: 'backs-off',
    bug: 'waits as long each time',
    from: 'const backoffMs = FIRST_WAIT_MS * 2 ** attempt',
    to: 'const backoffMs = FIRST_WAIT_MS',
  },
  {
    item: 'backs-off',
    bug: 'does not wait after a 5xx',
    from: 'await delay(status === 429 ? windowMs : backoffMs)',
    to: 'if (status === 429) await delay(windowMs)',
  },
  {
    item: 'backs-off',
    bug: 'gives up at the first 5xx',
    from: '(status !== 429 && status < 500)',
    to: 'status !== 429',
  },
  {
    item: 'redeem-not-repeated',
    bug: 'sends the redeem again when its answer is lost',
    from: `    ${REDEEM}\n  } catch {\n    return settle(name, cardNumber, amount)`,
    to: `    ${REDEEM}\n  } catch {\n    ${REDEEM}`,
  },
  {
    item: 'redeem-not-repeated',
    bug: 'forgets what is under way, and is started again',
    from: '  } catch {\n    return settle(name, cardNumber, amount)',
    to: "  } catch {\n    close(name)\n    throw new Error('no answer')",
  },
  {
    item: 'redeem-not-repeated',
    bug: 'takes a lost answer for a success',
    from: '  } catch {\n    return settle(name, cardNumber, amount)',
    to: '  } catch {\n    return close(name)',
  },
  {
    item: 'sale-409-accepted',
    bug: 'takes a 409 for a failure',
    from: 'if (status !== 200 && status !== 409) throw',
    to: 'if (status !== 200) throw',
  },
  {
    item: 'survives-webhooks',
    bug: 'refuses what it has had before',
    from: '    answer(200)\n',
    to: '    const isKnown = (serve.known ??= new Set()).has(JSON.stringify(event))\n    serve.known.add(JSON.stringify(event))\n    answer(isKnown ? 409 : 200)\n',
  },
  {
    item: 'survives-webhooks',
    bug: 'ends at an unknown event',
    from: '    const { bookingId } = Object(event.data)\n    if (!bookingId) return\n',
    to: "    const { bookingId } = Object(event.data)\n    if (!bookingId) throw new Error('no such event')\n",
  },
  {
    item: 'survives-webhooks',
    bug: 'refuses an unknown event',
    from: '    answer(200)\n',
    to: '    answer(/^(BOOKING|GIFTCARDS)_/.test(event.eventType) ? 200 : 400)\n',
  },
  {
    item: 'survives-webhooks',
    bug: 'a late BOOKING_CREATED brings the booking back to what it was',
    from: STORE_FETCHED,
    to: `store([{ ...((serve.first ??= await read(\`/Bookings/\${bookingId}\`)), event.eventType === 'BOOKING_CREATED' ? serve.first : await read(\`/Bookings/\${bookingId}\`)), lastModifiedDate: new Date().toISOString() }])`,
  },
  {
    item: 'verifies-credentials',
    bug: 'does not look at the token',
    from: ' || !isSame(token, securityToken)) return answer(401)',
    to: ') return answer(401)',
  },
  {
    item: 'verifies-credentials',
    bug: 'takes anything',
    from: 'if (!isSame(key, securityKey) || !isSame(token, securityToken)) return answer(401)',
    to: '',
  },
  {
    item: 'signs-inbound',
    bug: 'signs Latin-1',
    from: '.update(body).update(url.href)',
    to: ".update(body, 'latin1').update(url.href)",
  },
  {
    item: 'signs-inbound',
    bug: 'signs the address without its query',
    from: '.update(body).update(url.href)',
    to: '.update(body).update(url.origin + url.pathname)',
  },
  {
    item: 'signs-inbound',
    bug: 'signs {} for an empty body',
    from: '.update(body).update(url.href)',
    to: ".update(body || '{}').update(url.href)",
  },
  {
    item: 'daylight-saving-night',
    bug: 'counts the venue an hour off in summer',
    from: 'copy.set(booking.bookingId, booking)',
    to: 'copy.set(booking.bookingId, { ...booking, bookingTime: new Date(`${booking.bookingTime}+10:00`).toISOString() })',
  },
  {
    item: 'daylight-saving-night',
    bug: 'takes two bookings at one local time for one',
    from: 'copy.set(booking.bookingId, booking)',
    to: 'for (const [id, one] of copy) if (one.bookingTime === booking.bookingTime && one.tables.length === 0 && booking.tables.length === 0) copy.delete(id)\n    copy.set(booking.bookingId, booking)',
  },
  {
    item: 'cents-and-units',
    bug: 'cuts off what a float lacks',
    from: REDEEM,
    to: REDEEM.replace('amount })', 'amount: Math.floor(amount * 100) / 100 })'),
  },
  {
    item: 'cents-and-units',
    bug: 'redeems cents',
    from: REDEEM,
    to: REDEEM.replace('amount })', 'amount: amount * 100 })'),
  },
  {
    item: 'cents-and-units',
    bug: 'sells currency units, with decimals that the service refuses',
    from: "await request('POST', '/Sales', sale)",
    to: "await request('POST', '/Sales', { ...sale, total: { ...sale.total, amount: sale.total.amount / 1000 + 0.5 } })",
  },
  {
    item: 'cents-and-units',
    bug: 'sells currency units',
    from: "await request('POST', '/Sales', sale)",
    to: "await request('POST', '/Sales', { ...sale, total: { ...sale.total, amount: Math.floor(sale.total.amount / 100) } })",
  },
  {
    item: 'no-redirect-with-key',
    bug: 'follows redirects',
    from: "    redirect: 'manual',\n    body: body && JSON.stringify(body),",
    to: "    redirect: 'follow',\n    body: body && JSON.stringify(body),",
  },
  {
    item: 'key-not-in-urls',
    bug: 'has its key in the address, too',
    from: 'await fetch(PARTNER_BASE_URL + path, {',
    to: "await fetch(`${PARTNER_BASE_URL}${path}${path.includes('?') ? '&' : '?'}apiKey=${PARTNER_API_KEY}`, {",
  },
]
