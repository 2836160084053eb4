// A small integration that passes `partner certify`. Node 22 or later, standard library only.
//   partner certify --run 'node integration.mjs'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const { PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_SIGNATURE_HEADER, PARTNER_SIGNING_SECRET, CERTIFY_COPY } =
  process.env

/** The file, next to the copy, that stores state between runs. */
const STATE = `${CERTIFY_COPY}.state`
const TRIES = 4
const FIRST_WAIT_MS = 500
const FIRST_POLL_MS = 7 * 24 * 3_600_000
const MAX_EVENT_BYTES = 1024 * 1024

/** Writes a file atomically, because the process can be killed at any time. */
function writeAtomically(path, text) {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

const readState = () => (existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {})
const updateState = (change) => writeAtomically(STATE, JSON.stringify({ ...readState(), ...change }))

/** Sends one request, with the key only in its header. Does not follow redirects. */
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

/** Sends a GET request. Retries a 429 after the time that its message states, and a 5xx after increasing waits. */
async function read(path) {
  for (let attempt = 0; ; attempt++) {
    const { status, body } = await request('GET', path)
    if (status === 200) return body
    const isLast = attempt === TRIES - 1
    if (isLast || (status !== 429 && status < 500))
      throw new Error(`GET ${path.split('?')[0]} was answered with ${status}`)
    const backoffMs = FIRST_WAIT_MS * 2 ** attempt
    const windowMs = Number(/every (\d+) milliseconds/.exec(body?.message)?.[1] ?? backoffMs)
    await delay(status === 429 ? windowMs : backoffMs)
  }
}

/** Returns the bookings in the copy, by ID. */
function readCopy() {
  if (!existsSync(CERTIFY_COPY)) return new Map()
  const lines = readFileSync(CERTIFY_COPY, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => JSON.parse(line)).map((booking) => [booking.bookingId, booking]))
}

/** Stores bookings in the copy. Ignores a booking that is older than the stored one. */
function store(bookings) {
  const copy = readCopy()
  for (const booking of bookings) {
    const known = copy.get(booking.bookingId)
    if (known && Date.parse(known.lastModifiedDate) > Date.parse(booking.lastModifiedDate)) continue
    copy.set(booking.bookingId, booking)
  }
  writeAtomically(CERTIFY_COPY, [...copy.values()].map((booking) => `${JSON.stringify(booking)}\n`).join(''))
}

/** Copies what has changed since the last poll. Then stores where the next poll starts. */
async function poll() {
  const upTo = new Date().toISOString()
  const from = readState().polledUpTo ?? new Date(Date.now() - FIRST_POLL_MS).toISOString()
  const { bookings } = await read(`/Bookings?UpdatedFromDate=${from}&UpdatedToDate=${upTo}`)
  store(bookings)
  updateState({ polledUpTo: upTo })
}

const balanceOf = async (cardNumber) => (await read(`/GiftCards/${encodeURIComponent(cardNumber)}`)).remainingAmount
const cents = (amount) => Math.round(amount * 100)

/** Redeems a card at most once. Stores the redemption before sending it. Checks the balance if the response is lost. */
async function redeem({ cardNumber, amount }) {
  const name = `${cardNumber} ${amount}`
  const open = readState().open ?? {}
  if (open[name] !== undefined) return settle(name, cardNumber, amount)
  updateState({ open: { ...open, [name]: await balanceOf(cardNumber) } })
  let answer
  try {
    answer = await request('POST', '/GiftCards/redeem', { cardNumber, amount })
  } catch {
    return settle(name, cardNumber, amount)
  }
  if (answer.status >= 500) return settle(name, cardNumber, amount)
  close(name)
  if (answer.status !== 200 || !answer.body.isSuccess)
    throw new Error(answer.body?.errorMessage || `the redemption was answered with ${answer.status}`)
}

/** Closes an open redemption if the balance fell by its amount. Fails otherwise. */
async function settle(name, cardNumber, amount) {
  const [before, now] = [readState().open[name], await balanceOf(cardNumber)]
  if (cents(before) - cents(now) !== cents(amount))
    throw new Error(`it is not known yet whether ${name} was redeemed: run this step again, or ask`)
  close(name)
}

/** Removes a redemption from the list of open redemptions. */
function close(name) {
  const { [name]: _, ...open } = readState().open ?? {}
  updateState({ open })
}

/** Submits a sale, with amounts in cents. A 409 means that the service already has it. */
async function sale({ sale }) {
  const { status } = await request('POST', '/Sales', sale)
  if (status !== 200 && status !== 409) throw new Error(`the sale was answered with ${status}`)
}

/** Sends a request to an inbound endpoint. Signs the exact body that is sent, followed by the exact URL. */
async function inbound({ path, query, body }) {
  const url = new URL(PARTNER_BASE_URL + path + (query ? `?${query}` : ''))
  const signature = createHmac('sha256', PARTNER_SIGNING_SECRET).update(body).update(url.href).digest('hex')
  const headers = { 'Content-Type': 'application/json', [PARTNER_SIGNATURE_HEADER]: signature }
  const answer = await fetch(url, { method: 'POST', headers, redirect: 'manual', body })
  if (answer.status !== 200) throw new Error(`the inbound request was answered with ${answer.status}`)
}

/** Receives events. Responds to each event before storing the booking's current state. Stores one booking at a time. */
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

/** Compares two secrets by their digests, so that timing reveals nothing about them. */
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
