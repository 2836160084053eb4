// A receiver of events that stands what happens to receivers. Node 22 or later, standard library only.
//   WEBHOOK_KEY=the-security-key-of-the-subscription node node.mjs 4011
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const PORT = Number(process.argv[2] ?? process.env.PORT ?? 4011)
const KEY = process.env.WEBHOOK_KEY ?? ''
const MAX_BYTES = 1024 * 1024

/** What is still to be handled, by booking or card: an event that comes twice finds its place taken. */
const waiting = new Map()
let isWorking = false

/** Put your own work here. An event says only that something changed: read the booking or card, and store what it is now. */
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
    // Keep it in your database before this line: what is answered with 2xx never comes again.
    if (event.subject) waiting.set(`${event.event} ${event.subject}`, event)
    answer(200)
    work()
  } catch {
    // The connection ended in the middle of a body: without an answer, the service sends it again.
    response.destroy()
  }
})

/** The body; null when it is too large, which is then read to its end and thrown away. */
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

/** Compares digests, which have one length, in a time that tells nothing about the key. */
function hasKey(request) {
  const digest = (text) => createHash('sha256').update(text).digest()
  return KEY === '' || timingSafeEqual(digest(request.headers['x-security-key'] ?? ''), digest(KEY))
}

/** The event and what it is about; null when the body is no JSON object. Unknown events and members are passed over. */
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

/** Handles what waits, one after the other, after the answers. */
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
  if (KEY === '') process.stderr.write('warning: WEBHOOK_KEY is not set, so anybody may deliver\n')
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/\n`)
})
