import { expect, test } from 'vitest'
import { openState } from '../../../src/sandbox/open-state.ts'
import { controlOf, freshDirectory, saleOf, until } from '../../sandbox/fresh-sandbox.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { bookHostile, fridayEvening, requestUnknownService } from './page-of.ts'

function words(page: string): string {
  return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('the page shows its six sections and the requested day, and does not add its own requests to the journal', async () => {
  const { get, control } = await fridayEvening()
  const { text } = await get()
  const headings = [...text.matchAll(/<h2 id="\w+-name">([^<]+)/g)].map(([, name]) => name)
  expect(headings).toEqual(['Diary', 'Journal', 'Deliveries', 'Gift cards', 'Faults', 'Clock'])
  expect(text).toContain('<strong>Fri 18 Dec 2026</strong> <span class="tag">today</span>')
  expect(words(text)).toMatch(/19:00&ndash;21:00 \S+ Charlotte Taylor &times;2 guests T\d Confirmed/)
  for (const [day, said] of [
    ['2026-12-17', 'Thu 17 Dec 2026'],
    ['2026-12-25', 'Closed on Christmas Day'],
    ['2026-02-30', 'Fri 18 Dec 2026'],
    ['<script>', 'Fri 18 Dec 2026'],
  ] as const)
    expect((await get({ day })).text, day).toContain(said)
  expect((await control.readJournal(0)).entries).toEqual([])
})

test("a booking's details show its guest, notes, IDs, sales and payment", async () => {
  const { get, send, sandbox } = await fridayEvening()
  const id = await bookHostile(send, '2026-12-18 19:30')
  const sale = saleOf('T-77', { bookingId: id, total: { amount: 12345, currency: 'AUD' } })
  expect((await send('POST', '/Sales', sale)).status).toBe(200)
  const { text } = await get({ booking: id })
  const said = words(text)
  for (const part of [`ID ${id} `, '+61 400 000 001', 'ext-&lt;b&gt;1&lt;/b&gt;', 'T-77 123.45', '90 minutes'])
    expect(said).toContain(part)
  expect(text).toContain('&lt;/span&gt;&lt;script&gt;alert(3)&lt;/script&gt;')
  expect(text).toContain('<dialog id="details" aria-labelledby="details-title" open>')
  expect((await get({ booking: 'BK-OTHER' })).text).toContain('No such booking')
  expect(words((await get({ booking: 'BK-1004' })).text)).toMatch(/Payment card: \d+\.\d\d AUD, \d+\.\d\d paid/)
  expect(text).not.toContain(sandbox.apiKey)
})

test('the page escapes markup and neutralizes text-direction characters in untrusted text', async () => {
  const { get, send } = await fridayEvening()
  const id = await bookHostile(send, '2026-12-18 19:30')
  await send('GET', `/Bookings/%3Cscript%3E?q=<img src=x>&w=\u202e`)
  for (const query of [{ booking: id, find: '"><script>' }, { card: "'><svg onload=1>", day: '"onfocus=1' }, {}]) {
    const { text } = await get(query as Record<string, string>)
    expect(text.match(/<script(?! type="module" src="\/_sandbox\/page\/start\.js\?token=\w+">)/g)).toBeNull()
    const tags = [...text.matchAll(/<[a-z][^<]*?>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'))
    expect(tags.filter((tag) => /^<(img|svg|iframe)\b|\s(on\w+|style)=/.test(tag))).toEqual([])
  }
  const { text } = await get()
  expect(text).toContain('<bdi dir="auto">&lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39;&gt;&lt;img src=x')
  // Characters in a request that change the text direction are shown as escapes.
  expect(text).toContain('w = \\u202e')
})

test("the page's journal shows why a reservation was rejected and can be searched and paged through", async () => {
  const { get, send, sandbox } = await fridayEvening()
  await requestUnknownService(send, 'svc-tea')
  for (let at = 1; at <= 60; at++) await send('GET', `/Bookings/none-${at}?key=${sandbox.apiKey}`)
  const { text } = await get({ refused: '1', find: 'reservations' })
  expect(words(text)).toContain('400 POST /Reservations Invalid Service &#39;svc-tea&#39;')
  expect(text.match(/data-key="request-/g)).toHaveLength(1)
  expect(text).not.toContain(sandbox.apiKey)
  expect(text).toContain('x-api-key: \u2022\u2022\u2022\u2022vine')
  const seen: string[] = []
  let older: string | null = ''
  while (older !== null) {
    const page: string = (await get({ older })).text
    seen.push(...[...page.matchAll(/<b>GET<\/b> \/Bookings\/none-(\d+)/g)].map(([, at]) => String(at)))
    older = /[?&]older=(\d+)[^"]*">Older/.exec(page.replaceAll('&amp;', '&'))?.[1] ?? null
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_none, at) => String(60 - at)))
  expect((await get({ find: 'nothing like it' })).text).toContain('No request matches.')
})

test('the page shows each undelivered webhook with its URL and the reason for the failure', async () => {
  const { port } = await startRawServer(({ target }) => answers(target === '/good' ? 200 : 500))
  const { get, send, control } = await fridayEvening()
  const receiver = `http://user:pass-word@127.0.0.1:${port}`
  const subscribe = (event: string, path: string) =>
    send('POST', '/Webhooks', { event, webhookUrl: `${receiver}${path}`, securityKey: 'hush-hush' })
  await subscribe('GIFTCARDS_REDEEMED', '/good')
  await subscribe('BOOKING_UPDATED', '/bad')
  await send('PATCH', '/Bookings/BK-1001/updatepax', { pax: 4 })
  await send('POST', '/GiftCards/redeem', { cardNumber: 'GIFT1-00000100-AAAA', amount: 25, notes: 'dinner' })
  await control.addFault({ endpoint: 'PATCH *', effect: { kind: 'lost-webhook' }, next: 1 })
  await send('PATCH', '/Bookings/BK-1004/updatepax', { pax: 7 })
  await until(async () => (await control.listDeliveries()).filter(({ attempts }) => attempts.length > 0).length === 2)
  const all = (await get()).text
  expect(words(all)).toContain('1 delivered, 1 pending, 1 not delivered.')
  const { text } = await get({ missed: '1' })
  const said = words(text)
  expect(said).toContain('pending BOOKING_UPDATED BK-1001 responses: 500')
  expect(said).toContain('Never sent: a fault dropped it, or its subscription had ended.')
  expect(said).toContain(`http://\u2022\u2022\u2022\u2022@127.0.0.1:${port}/bad`)
  expect(text).not.toMatch(/delivered<\/span>/)
  for (const secret of ['hush-hush', 'pass-word']) expect(all + text).not.toContain(secret)
  expect(words((await get({ booking: 'BK-1001' })).text)).toContain('Webhooks pending BOOKING_UPDATED')
  const cards = words((await get({ card: '00000100' })).text)
  expect(cards).toMatch(/Active GIFT1-00000100-AAAA 75\.00 of 100\.00/)
  expect(cards).toContain('25.00 dinner')
})

test("the page's forms can add and clear faults, and keep the user's input if it is invalid", async () => {
  const { get, post, send, control } = await fridayEvening()
  const fault = { endpoint: 'GET /GiftCards/{cardNumber}', kind: 'status', status: '503', next: '2' }
  const added = await post('add-fault', fault)
  expect(added.status).toBe(303)
  expect(added.headers.get('location')).toMatch(/^\/_sandbox\/page\?token=\w+#faults$/)
  expect(await control.listFaults()).toMatchObject([{ id: 1, effect: { kind: 'status', status: 503 }, next: 2 }])
  expect((await send('GET', '/GiftCards/GIFT1-00000100-AAAA')).status).toBe(503)
  expect(words((await get()).text)).toContain(
    '1. status 503 GET /GiftCards/{cardNumber} the next 2, before the change is applied; affected 1 of 1 requests so far',
  )
  const wrong = [
    [{ endpoint: '', kind: 'reset' }, 'Endpoint is empty. Choose an endpoint, or enter * for any endpoint.'],
    [{ endpoint: 'GET /giftcards', kind: 'reset' }, 'did you mean'],
    [{ endpoint: '*', kind: 'status', status: '99' }, 'Status: &quot;99&quot; is not a whole number from 200 to 599.'],
    [{ endpoint: '*', kind: 'status', status: '' }, 'Status is empty.'],
    [{ endpoint: '*', kind: 'latency', value: '2' }, 'How much: &quot;2&quot; has no unit.'],
    [{ endpoint: '*', kind: 'truncate', value: 'many' }, 'is not a number of bytes.'],
    [{ endpoint: '*', kind: 'redirect', value: '' }, 'a redirect needs a URL.'],
    [{ endpoint: '*', kind: 'reset', next: '1', share: '5' }, 'cannot be used together.'],
    [{ endpoint: '*', kind: 'reset', share: '101' }, 'Share must be a percentage'],
    [{ endpoint: '*', kind: 'nonsense' }, 'unknown kind of fault.'],
  ] as const
  for (const [fields, said] of wrong) {
    const { status, text } = await post('add-fault', { ...fields, message: 'kept <b>' })
    expect([status, words(text).includes(said)], said).toEqual([200, true])
    expect(text).toContain('value="kept &lt;b&gt;"')
  }
  expect((await post('clear-fault', { id: '1' })).status).toBe(303)
  expect((await post('clear-fault', { id: '1' })).status).toBe(303)
  expect(await control.listFaults()).toEqual([])
})

test("the page's forms can advance, set, freeze and reset the clock", async () => {
  const { get, post, control } = await fridayEvening()
  expect(words((await get()).text)).toContain('Fri 18 Dec 2026 19:40:00 Australia/Sydney frozen')
  expect((await post('advance-clock', { by: '2h' }, { day: '2026-12-17' })).headers.get('location')).toContain(
    'day=2026-12-17#clock',
  )
  expect(await control.readClock()).toMatchObject({ now: '2026-12-18T10:40:00.000Z', frozen: true })
  for (const [form, fields, said] of [
    ['advance-clock', { by: '10' }, 'Advance by: &quot;10&quot; has no unit.'],
    ['advance-clock', { by: '' }, 'is not a duration.'],
    ['advance-clock', { by: '0m' }, 'is too short'],
    ['set-clock', { to: 'soon' }, 'Time: &quot;soon&quot; is not a time.'],
    ['set-clock', { to: '2h' }, 'could be in the past or the future. Write -2h for a time in the past'],
    ['set-clock', { to: '9999-01-01' }, 'between the years 1970 and 9000'],
  ] as const) {
    const { status, text } = await post(form, fields)
    expect([status, words(text).includes(said)], said).toEqual([200, true])
  }
  await post('set-clock', { to: '2027-01-15 18:00', frozen: '1' })
  expect(await control.readClock()).toMatchObject({ now: '2027-01-15T07:00:00.000Z', frozen: true })
  await post('run-clock', {})
  expect(await control.readClock()).toMatchObject({ frozen: false, shifted: true })
  await post('freeze-clock', {})
  expect(await control.readClock()).toMatchObject({ frozen: true })
  await post('reset-clock', {})
  expect(await control.readClock()).toMatchObject({ frozen: false, shifted: false })
})

test('the change stream reports changes made by any process and ends when the sandbox closes', async () => {
  const data = freshDirectory()
  const { address, send, sandbox } = await fridayEvening({ data })
  const response = await fetch(address('/changes', {}))
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  let said = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) said += Buffer.from(chunk).toString('utf8')
  })()
  const told = async (part: string) => {
    const from = said.length
    return until(() => new RegExp(`data: .*\\b${part}\\b`).test(said.slice(from)))
  }
  await until(() => said !== '')
  const hearsOfBooking = Promise.all([told('diary'), told('journal')])
  await send('PATCH', '/Bookings/BK-1001/updatepax', { pax: 4 })
  await hearsOfBooking
  const another = controlOf(data)
  const hears = told('faults')
  await another.addFault({ endpoint: '*', effect: { kind: 'reset' } })
  await hears
  await sandbox.close()
  await reading
})

test('the page renders only the requested parts and ignores unknown part names', async () => {
  const { text } = await (await fridayEvening()).get({ parts: 'clock faults nonsense', day: '2026-12-17' }, '/live')
  expect([...text.matchAll(/data-live="([\w-]+)"/g)].map(([, name]) => name)).toEqual(['faults', 'clock'])
})

test("the page uses the venue's time zone and can show any of several venues", async () => {
  const data = freshDirectory()
  const state = openState(data)
  const pier = { id: 'a'.repeat(24), name: 'Pier 9', currency: 'USD', timezone: 'America/New_York' }
  state.store.writeVenues([pier, { ...pier, id: 'b'.repeat(24), name: 'Pier <10>' }])
  state.close()
  const { get, send, post, control } = await fridayEvening({ data })
  const { body } = await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-12-18 18:00', notes: 'by the water' })
  const { text } = await get()
  expect(words(text)).toContain('Fri 18 Dec 2026 03:40:00 America/New_York')
  expect(text).toContain(`id="to-${body.bookingId}"`)
  expect(text).toContain('aria-current="true"><bdi dir="auto">Pier 9</bdi>')
  const other = (await get({ venue: 'b'.repeat(24) })).text
  expect(other).toContain('aria-current="true"><bdi dir="auto">Pier &lt;10&gt;</bdi>')
  expect(other).toContain('There are no bookings for this day.')
  await post('set-clock', { to: '2026-12-18 18:00', frozen: '1' })
  expect(await control.readClock()).toMatchObject({ now: '2026-12-18T23:00:00.000Z' })
})

test('an error during rendering is reported in one sentence, and other paths still work', async () => {
  const data = freshDirectory()
  const { get } = await fridayEvening({ data })
  const state = openState(data)
  state.store.run('ALTER TABLE faults RENAME TO gone')
  state.close()
  const { status, text, headers } = await get()
  expect([status, text]).toEqual([500, 'The sandbox could not show this page: no such table: faults\n'])
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect((await get({}, '/page.css')).status).toBe(200)
})
