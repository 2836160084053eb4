// An alternative to the integration in docs/. Its cursor is the date of the latest change that it has received, so it
// depends only on the service's clock. It fetches the booking of each event, but updates its copy only when it polls.
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const { PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_SIGNATURE_HEADER, PARTNER_SIGNING_SECRET, CERTIFY_COPY } =
  process.env
const MARK = `${CERTIFY_COPY}.mark`
const headers = { 'X-API-KEY': PARTNER_API_KEY, 'Content-Type': 'application/json' }
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function api(method, path, body) {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(PARTNER_BASE_URL + path, {
      ...{ method, headers, redirect: 'error' },
      body: body && JSON.stringify(body),
    })
    if (method !== 'GET' || attempt === 3 || (answer.status !== 429 && answer.status < 500)) return answer
    await answer.text()
    await sleep(500 * 2 ** attempt * (0.8 + Math.random() * 0.4))
  }
}

const balance = async (cardNumber) => (await (await api('GET', `/GiftCards/${cardNumber}`)).json()).remainingAmount

const steps = {
  async poll() {
    const lines = existsSync(CERTIFY_COPY) ? readFileSync(CERTIFY_COPY, 'utf8').split('\n').filter(Boolean) : []
    const copy = new Map(lines.map((line) => JSON.parse(line)).map((booking) => [booking.bookingId, booking]))
    let mark = existsSync(MARK) ? readFileSync(MARK, 'utf8') : '2000-01-01T00:00:00.000Z'
    const query = new URLSearchParams({ UpdatedFromDate: mark, UpdatedToDate: '2100-01-01T00:00:00.000Z' })
    const answer = await api('GET', `/Bookings?${query}`)
    if (!answer.ok) throw new Error(`the poll was answered with ${answer.status}`)
    for (const booking of (await answer.json()).bookings) {
      copy.set(booking.bookingId, booking)
      if (booking.lastModifiedDate > mark) mark = booking.lastModifiedDate
    }
    writeFileSync(CERTIFY_COPY, [...copy.values()].map((booking) => JSON.stringify(booking)).join('\n'))
    writeFileSync(MARK, mark)
  },
  async redeem({ cardNumber, amount }) {
    const before = await balance(cardNumber)
    const sent = api('POST', '/GiftCards/redeem', { cardNumber, amount })
    const answer = await sent.catch(() => null)
    if (answer === null) {
      const moved = Math.round((before - (await balance(cardNumber))) * 100)
      if (moved !== Math.round(amount * 100)) throw new Error('outcome unknown')
    } else if (!(await answer.json()).isSuccess) throw new Error('rejected')
  },
  async sale({ sale }) {
    const { ok, status } = await api('POST', '/Sales', sale)
    if (!ok && status !== 409) throw new Error(`the sale was answered with ${status}`)
  },
  async inbound({ path, query, body }) {
    const url = new URL(PARTNER_BASE_URL + path)
    url.search = new URLSearchParams(query).toString()
    const signature = createHmac('sha256', PARTNER_SIGNING_SECRET)
      .update(body + url.href)
      .digest('hex')
    const answer = await fetch(url, {
      ...{ method: 'POST', body },
      headers: { 'content-type': 'application/json', [PARTNER_SIGNATURE_HEADER]: signature },
    })
    if (!answer.ok) throw new Error(`the request was answered with ${answer.status}`)
  },
  serve({ port, securityKey, securityToken }) {
    createServer(async (message, response) => {
      let text = ''
      for await (const chunk of message) text += chunk
      const { 'x-security-key': key, 'x-security-token': token } = message.headers
      if (key !== securityKey || token !== securityToken) return response.writeHead(401).end()
      response.end('{}')
      const { bookingId } = JSON.parse(text).data
      if (bookingId) await api('GET', `/Bookings/${bookingId}`)
    }).listen(port)
    return new Promise(() => {})
  },
}

createInterface({ input: process.stdin }).once('line', (line) => {
  const step = JSON.parse(line)
  steps[step.do](step).then(
    () => process.exit(0),
    ({ message }) => {
      process.stderr.write(`${message}\n`)
      process.exit(1)
    },
  )
})
