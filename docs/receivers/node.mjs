// A robust webhook receiver for Node 22 or later. Uses only the standard library.
//   WEBHOOK_KEY=the-security-key-of-the-subscription node node.mjs 4011
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const PORT = Number(process.argv[2] ?? process.env.PORT ?? 4011)
const KEY = process.env.WEBHOOK_KEY ?? ''
const MAX_BYTES = 1024 * 1024

/** Unhandled events, keyed by type and booking or card. A duplicate replaces the earlier event. */
const waiting = new Map()
let isWorking = false

/** Put your own code here. An event only says that something changed: fetch the booking or card, and store it. */
async function handle({ event, subject }) {
  process.stdout.write(`${event} ${subject}\n`)
}

const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, async (request, response) => {
  const answer = (status) => response.writeHead(status).end()
  try {
    const body = await read(request)
    if (request.method !== 'POST') return answer(405)
    if (!hasKey(request)) return answer(401)
    if (body === null) return answer(413)
    const event = parse(body)
    if (event === null) return answer(400)
    // Store the event in your database before the response: after a 2xx, the service does not send it again.
    if (event.subject) waiting.set(`${event.event} ${event.subject}`, event)
    answer(200)
    work()
  } catch {
    // The connection closed early. Without a response, the service sends the event again.
    response.destroy()
  }
})

/** Returns the body, or `null` if it is too large. Always reads it to the end. */
async function read(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BYTES) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : null
}

/** Whether the request has the right key. Compares digests, so that timing reveals nothing about the key. */
function hasKey(request) {
  const digest = (text) => createHash('sha256').update(text).digest()
  return KEY === '' || timingSafeEqual(digest(request.headers['x-security-key'] ?? ''), digest(KEY))
}

/** Returns the event and its booking or card, or `null` if the body is not a JSON object. Ignores unknown members. */
function parse(body) {
  try {
    const value = JSON.parse(body.toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const { bookingId, cardNumber } = Object(value.data)
    return { event: String(value.eventType), subject: bookingId ?? cardNumber }
  } catch {
    return null
  }
}

/** Handles the waiting events one at a time, after they have been acknowledged. */
async function work() {
  if (isWorking) return
  isWorking = true
  for (const [name, event] of waiting) {
    waiting.delete(name)
    await handle(event).catch((error) => process.stderr.write(`${name}: ${error.message}\n`))
  }
  isWorking = false
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close())
server.listen(PORT, '127.0.0.1', () => {
  if (KEY === '') process.stderr.write('warning: WEBHOOK_KEY is not set, so anyone can send events\n')
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/\n`)
})
