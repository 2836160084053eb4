// A small integration that passes `partner certify`. Node 22 or later, standard library only.
//   partner certify --run 'node integration.mjs'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const { PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_SIGNATURE_HEADER, PARTNER_SIGNING_SECRET, CERTIFY_COPY } =
  process.env

/** What is kept from one start to the next stands beside the copy. */
const STATE = `${CERTIFY_COPY}.state`
const TRIES = 4
const FIRST_WAIT_MS = 500
const FIRST_POLL_MS = 7 * 24 * 3_600_000
const MAX_EVENT_BYTES = 1024 * 1024

/** Writes a file whole or not at all: a process can end at any moment. */
function put(path, text) {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

const readState = () => (existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {})
const keepState = (change) => put(STATE, JSON.stringify({ ...readState(), ...change }))

/** One request. The key goes into its header and nowhere else, and not to where a redirect leads. */
async function request(method, path, body) {
  const headers = { 'X-API-KEY': PARTNER_API_KEY, 'Content-Type': 'application/json' }
  const answer = await fetch(PARTNER_BASE_URL + path, {
    method,
    headers,
    redirect: 'manual',
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

/** Reads, and tries again after a 429 or 5xx: after the window that a 429 names, or ever longer waits. */
async function read(path) {
  for (let attempt = 0; ; attempt++) {
    const { status, body } = await request('GET', path)
    if (status === 200) return body
    const isLast = attempt === TRIES - 1
    if (isLast || (status !== 429 && status < 500)) throw new Error(`GET ${path.split('?')[0]} was answered ${status}`)
    const backoffMs = FIRST_WAIT_MS * 2 ** attempt
    const windowMs = Number(/every (\d+) milliseconds/.exec(body?.message)?.[1] ?? backoffMs)
    await delay(status === 429 ? windowMs : backoffMs)
  }
}

/** The copy, by booking ID. */
function readCopy() {
  if (!existsSync(CERTIFY_COPY)) return new Map()
  const lines = readFileSync(CERTIFY_COPY, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => JSON.parse(line)).map((booking) => [booking.bookingId, booking]))
}

/** Stores what bookings are now; one that is older than what is there already changes nothing. */
function store(bookings) {
  const copy = readCopy()
  for (const booking of bookings) {
    const known = copy.get(booking.bookingId)
    if (known && Date.parse(known.lastModifiedDate) > Date.parse(booking.lastModifiedDate)) continue
    copy.set(booking.bookingId, booking)
  }
  put(CERTIFY_COPY, [...copy.values()].map((booking) => `${JSON.stringify(booking)}\n`).join(''))
}

/** Copies what has changed since the last poll. The next one begins where this one asked up to, once the copy is written. */
async function poll() {
  const upTo = new Date().toISOString()
  const from = readState().polledUpTo ?? new Date(Date.now() - FIRST_POLL_MS).toISOString()
  const { bookings } = await read(`/Bookings?UpdatedFromDate=${from}&UpdatedToDate=${upTo}`)
  store(bookings)
  keepState({ polledUpTo: upTo })
}

const balanceOf = async (cardNumber) => (await read(`/GiftCards/${encodeURIComponent(cardNumber)}`)).remainingAmount
const cents = (amount) => Math.round(amount * 100)

/** Redeems once. What is under way is on disk before it is sent; when its answer is lost, the balance tells what became of it. */
async function redeem({ cardNumber, amount }) {
  const name = `${cardNumber} ${amount}`
  const open = readState().open ?? {}
  if (open[name] !== undefined) return settle(name, cardNumber, amount)
  keepState({ open: { ...open, [name]: await balanceOf(cardNumber) } })
  let answer
  try {
    answer = await request('POST', '/GiftCards/redeem', { cardNumber, amount })
  } catch {
    return settle(name, cardNumber, amount)
  }
  if (answer.status >= 500) return settle(name, cardNumber, amount)
  close(name)
  if (answer.status !== 200 || !answer.body.isSuccess)
    throw new Error(answer.body?.errorMessage || `redeem was answered ${answer.status}`)
}

async function settle(name, cardNumber, amount) {
  const [before, now] = [readState().open[name], await balanceOf(cardNumber)]
  if (cents(before) - cents(now) !== cents(amount))
    throw new Error(`nobody knows yet whether ${name} was redeemed: start it again, or ask`)
  close(name)
}

function close(name) {
  const { [name]: _, ...open } = readState().open ?? {}
  keepState({ open })
}

/** Submits a sale, whose amounts are in cents. A 409 says that the service has it. */
async function sale({ sale }) {
  const { status } = await request('POST', '/Sales', sale)
  if (status !== 200 && status !== 409) throw new Error(`the sale was answered ${status}`)
}

/** Calls an inbound endpoint. The bytes of the body are signed as they are sent, and the URL as it is requested. */
async function inbound({ path, query, body }) {
  const url = new URL(PARTNER_BASE_URL + path + (query ? `?${query}` : ''))
  const signature = createHmac('sha256', PARTNER_SIGNING_SECRET).update(body).update(url.href).digest('hex')
  const headers = { 'Content-Type': 'application/json', [PARTNER_SIGNATURE_HEADER]: signature }
  const answer = await fetch(url, { method: 'POST', headers, redirect: 'manual', body })
  if (answer.status !== 200) throw new Error(`the inbound call was answered ${answer.status}`)
}

/** Receives events: answers first, then stores what the booking is now, one after the other. */
function serve({ port, securityKey, securityToken }) {
  let work = Promise.resolve()
  const server = createServer(async (message, response) => {
    const answer = (status) => response.writeHead(status).end()
    const chunks = []
    let size = 0
    for await (const chunk of message) {
      size += chunk.length
      if (size <= MAX_EVENT_BYTES) chunks.push(chunk)
    }
    const { 'x-security-key': key = '', 'x-security-token': token = '' } = message.headers
    if (!isSame(key, securityKey) || !isSame(token, securityToken)) return answer(401)
    if (size > MAX_EVENT_BYTES) return answer(413)
    const event = parse(Buffer.concat(chunks).toString())
    if (event === null) return answer(400)
    answer(200)
    const { bookingId } = Object(event.data)
    if (!bookingId) return
    work = work
      .then(async () => store([await read(`/Bookings/${encodeURIComponent(bookingId)}`)]))
      .catch((error) => process.stderr.write(`${bookingId}: ${error.message}\n`))
  })
  process.once('SIGTERM', () => server.close())
  server.listen(port, '127.0.0.1')
}

/** Compares digests, which have one length, in a time that tells nothing about the secret. */
function isSame(given, expected) {
  const digest = (text) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function parse(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

let line = ''
for await (const chunk of process.stdin) line += chunk
const step = JSON.parse(line)
const STEPS = { poll, redeem, sale, inbound, serve }
try {
  await STEPS[step.do](step)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
