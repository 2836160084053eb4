// An alternative to the integration in docs/. It requests all bookings around the current time, appends them to its
// copy, and processes each event before it responds. If a response is lost, it exits and resolves the outcome after a
// restart.
import { createHmac } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'

const { PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_SIGNATURE_HEADER, PARTNER_SIGNING_SECRET, CERTIFY_COPY } =
  process.env
const DAY = 86_400_000
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

function call(method, path, body = null, headers = { 'x-api-key': PARTNER_API_KEY }) {
  return new Promise((resolve, reject) => {
    const options = { method, agent: false, headers: { 'content-type': 'application/json', ...headers } }
    const sent = request(PARTNER_BASE_URL + path, options, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: answer.statusCode, text }))
    })
    sent.on('error', reject).end(body ?? undefined)
  })
}

async function get(path) {
  for (let wait = 200; wait < 7000; wait *= 2) {
    const { status, text } = await call('GET', path)
    if (status === 200) return JSON.parse(text)
    if (status !== 429 && status < 500) process.exit(3)
    await sleep(wait)
  }
  process.exit(4)
}

const append = (bookings) =>
  appendFileSync(CERTIFY_COPY, bookings.map((booking) => `${JSON.stringify(booking)}\n`).join(''))

const steps = {
  async poll() {
    const [from, to] = [-2, 14].map((days) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 19)}Z`)
    append((await get(`/Bookings?StartDate=${from}&EndDate=${to}&IncludeCustomerDetails=true`)).bookings)
  },
  async redeem({ cardNumber, amount }) {
    const note = `${CERTIFY_COPY}.${cardNumber}`
    const left = Math.round((await get(`/GiftCards/${cardNumber}`)).remainingAmount * 100)
    if (existsSync(note)) {
      const isDone = Number(readFileSync(note, 'utf8')) - left === Math.round(amount * 100)
      if (isDone) rmSync(note)
      return isDone ? 0 : 2
    }
    writeFileSync(note, String(left))
    const { status, text } = await call('POST', '/GiftCards/redeem', JSON.stringify({ cardNumber, amount }))
    rmSync(note)
    return status === 200 && JSON.parse(text).isSuccess ? 0 : 1
  },
  async sale({ sale }) {
    const { status } = await call('POST', '/Sales', JSON.stringify(sale))
    return status === 200 || status === 409 ? 0 : 1
  },
  async inbound({ path, query, body }) {
    const target = `${path}?${query}`
    const signature = createHmac('sha256', PARTNER_SIGNING_SECRET)
      .update(`${body}${PARTNER_BASE_URL}${target}`)
      .digest('hex')
    const { status } = await call('POST', target, body, { [PARTNER_SIGNATURE_HEADER]: signature })
    return status < 300 ? 0 : 1
  },
  serve({ port, securityKey, securityToken }) {
    createServer((message, response) => {
      let text = ''
      message
        .on('data', (chunk) => (text += chunk))
        .on('end', async () => {
          const { 'x-security-key': key, 'x-security-token': token } = message.headers
          const isKnown = key === securityKey && token === securityToken
          const { eventType, data } = isKnown ? JSON.parse(text) : {}
          if (eventType?.startsWith('BOOKING_')) append([await get(`/Bookings/${data.bookingId}`)])
          response.writeHead(isKnown ? 204 : 403).end()
        })
    }).listen(port, 'localhost')
    return new Promise(() => {})
  },
}

let line = ''
for await (const chunk of process.stdin) line += chunk
const step = JSON.parse(line)
process.exit((await steps[step.do](step)) ?? 0)
