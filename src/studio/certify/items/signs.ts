import { LOWER_SIGNATURE_HEADER, PARTNER_NAME, SIGNING_SECRET } from '../../../sandbox/credentials.ts'
import { sign } from '../../../signing/signature.ts'
import type { Bench } from '../bench/bench.ts'
import type { StepLine } from '../bench/child.ts'
import type { Item } from '../certify.ts'

type Inbound = Extract<StepLine, { readonly do: 'inbound' }>

const PATH = `/Sales/partners/${PARTNER_NAME}/events/certify.note`

/**
 * Data that software tends to change before signing it: non-ASCII letters, escape sequences, spaces, and
 * percent-encoded queries.
 */
const CALLS = [
  ['Unicode in the body', 'page=1', '{ "guest" : "Zoë O’Brien 小芳 🍷", "note": "caf\\u00e9" }'],
  ['a query', 'b=T%C3%A9rrasse%20%2B1&a=2&a=1', '{"note":"the query is signed, too"}'],
  ['an empty body', 'page=1', ''],
] as const

/**
 * Checks that each inbound request is signed correctly. The signature covers the bytes of the body, followed by the
 * URL.
 */
export const signsInbound: Item = {
  id: 'signs-inbound',
  name: 'Signs inbound requests correctly: Unicode, query, empty body',
  mend: 'Sign the exact bytes of the body as you send them, followed directly by the exact URL that you request, including its query. The signature is the HMAC-SHA256 in lower-case hex. For an empty body, sign only the URL; the service rejects such a request (400).',
  check: async (bench) => {
    for (const [what, query, body] of CALLS)
      await checkSignature(bench, what, { do: 'inbound', path: PATH, query, body })
  },
}

async function checkSignature(bench: Bench, what: string, line: Inbound): Promise<void> {
  const before = bench.wire.seen.length
  await bench.step(line)
  const calls = bench.wire.seen.slice(before).filter(({ request }) => request.url.pathname.startsWith(line.path))
  if (calls.length === 0) bench.finding(`the request with ${what} was not sent`)
  const isWrong = calls.some(({ request }) => {
    const signature = request.headers[LOWER_SIGNATURE_HEADER] ?? ''
    return signature !== sign(request.body ?? Buffer.alloc(0), request.urlAsSent ?? request.url.href, SIGNING_SECRET)
  })
  if (isWrong) bench.finding(`the signature of the request with ${what} is wrong; partner sign verify explains why`)
}
