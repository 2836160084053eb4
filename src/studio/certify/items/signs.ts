import { LOWER_SIGNATURE_HEADER, PARTNER_NAME, SIGNING_SECRET } from '../../../sandbox/credentials.ts'
import { sign } from '../../../signing/signature.ts'
import type { Bench } from '../bench/bench.ts'
import type { StepLine } from '../bench/child.ts'
import type { Item } from '../certify.ts'

type Inbound = Extract<StepLine, { readonly do: 'inbound' }>

const PATH = `/Sales/partners/${PARTNER_NAME}/events/certify.note`

/** Signed texts that programs tend to change: non-ASCII letters, their escapes, spaces, escapes in a query. */
const CALLS = [
  ['unicode in the body', 'page=1', '{ "guest" : "Zoë O’Brien 小芳 🍷", "note": "caf\\u00e9" }'],
  ['a query', 'b=T%C3%A9rrasse%20%2B1&a=2&a=1', '{"note":"the query is signed, too"}'],
  ['an empty body', 'page=1', ''],
] as const

/** Compares signed calls with the wire: the bytes of the body, then the requested URL. */
export const signsInbound: Item = {
  id: 'signs-inbound',
  name: 'Signs inbound calls right: unicode, query, empty body',
  mend: 'Sign the bytes of the body exactly as they are sent, and right after them the whole URL with its query exactly as it is requested: lower-case hex of HMAC-SHA256. An empty body is signed as nothing, and the service refuses it (400).',
  check: async (bench) => {
    for (const [what, query, body] of CALLS) await signedCall(bench, what, { do: 'inbound', path: PATH, query, body })
  },
}

async function signedCall(bench: Bench, what: string, line: Inbound): Promise<void> {
  const before = bench.wire.seen.length
  await bench.step(line)
  const calls = bench.wire.seen.slice(before).filter(({ request }) => request.url.pathname.startsWith(line.path))
  if (calls.length === 0) bench.finding(`the call with ${what} was not made`)
  const isWrong = calls.some(({ request }) => {
    const signature = request.headers[LOWER_SIGNATURE_HEADER] ?? ''
    return signature !== sign(request.body ?? Buffer.alloc(0), request.urlAsSent ?? request.url.href, SIGNING_SECRET)
  })
  if (isWrong) bench.finding(`the signature of the call with ${what} is wrong: explain it with partner sign verify`)
}
