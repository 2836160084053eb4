import type { JsonValue } from '../../base/json/exact.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { Transport } from '../../http/transport.ts'
import { sandboxService } from '../../sandbox/app/app.ts'
import { SANDBOX_KEYS, SIGNATURE_HEADER, SIGNING_SECRET } from '../../sandbox/credentials.ts'
import type { DeliveryPlan } from '../../sandbox/deliveries/queue.ts'
import type { EntrySink } from '../../sandbox/journal/journal.ts'
import { hex, mixSeeds, randomFrom } from '../../sandbox/seed/random.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { sign } from '../../signing/signature.ts'

/** A request of a rehearsal itself. */
export interface OwnRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Its answer; `body` is null when there is none. */
export interface OwnReply {
  readonly status: number
  readonly body: JsonValue
}

/** How such requests are made. */
export interface OwnWays {
  /** What the IDs of new records are drawn from. */
  readonly seed: number
  /** Is told of each of them. */
  readonly journal: EntrySink
  /** How the event of the next request is delivered; once and at once unless given. */
  readonly deliveryPlan?: () => DeliveryPlan
}

/** By this the journal tells them from the requests of others. */
const USER_AGENT = 'partner-sandbox-rehearse'
/** Signatures cover the address, so it must be the same wherever the sandbox listens. */
const ORIGIN = 'http://127.0.0.1'

/**
 * Makes the requests of the guests and the staff of a rehearsal, one after the other, through the layers of the service. No limit and no fault
 * meets them, and the IDs of what they make come from a seed: what is answered depends on nothing else.
 */
export function ownRequests(
  state: SandboxState,
  { seed, journal, deliveryPlan }: OwnWays,
): (request: OwnRequest) => Promise<OwnReply> {
  const service = sandboxService(state, journal, null)
  const random = randomFrom(mixSeeds(seed, OWN_IDS))
  const send: Transport = async (request) => {
    const { clock } = state.settings()
    const drawHex = (bytes: number) => hex(random, bytes * 2)
    return service({ request, clock, faults: NONE, drawHex, ...(deliveryPlan ? { delivery: deliveryPlan() } : {}) })
  }
  return async ({ method, path, query, body }) => {
    const url = new URL(path, ORIGIN)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
    const reply = await send({
      method,
      url,
      urlAsSent: url.href,
      headers: {
        'user-agent': USER_AGENT,
        'x-api-key': SANDBOX_KEYS.good,
        ...(bytes ? { 'content-type': 'application/json' } : {}),
        ...(bytes && path.includes('/partners/')
          ? { [SIGNATURE_HEADER.toLowerCase()]: sign(bytes, url.href, SIGNING_SECRET) }
          : {}),
      },
      body: bytes,
    })
    return { status: reply.status, body: await readBody(reply.body) }
  }
}

const NONE = { strike: () => [] }

/** Sets its numbers apart from those of others that are drawn from the same seed. */
const OWN_IDS = 0x1d5

async function readBody(body: AsyncIterable<Uint8Array>): Promise<JsonValue> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? null : (parseJson(text) as JsonValue)
}
