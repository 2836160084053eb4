import { text } from 'node:stream/consumers'
import type { JsonValue } from '../base/json/exact.ts'
import { parseJson } from '../base/json/parse.ts'
import { sandboxService } from '../sandbox/app/app.ts'
import { LOWER_SIGNATURE_HEADER, SANDBOX_KEYS, SIGNING_SECRET } from '../sandbox/credentials.ts'
import type { DeliveryPlan } from '../sandbox/deliveries/queue.ts'
import type { EntrySink } from '../sandbox/journal/journal.ts'
import { hex, mixSeeds, randomFrom } from '../sandbox/seed/random.ts'
import type { SandboxState } from '../sandbox/state.ts'
import { sign } from '../signing/signature.ts'

/** Sends a request. `members` is sent as the query of a GET request, or as the JSON body of any other request. */
export type Send = (method: string, path: string, members?: object) => Promise<Reply>

/** The response to a request. `body` is `null` if the response has no body. */
type Reply = { readonly status: number; readonly text: string; readonly body: JsonValue }

export interface SendOptions {
  /** The seed for the IDs of new records. By default, the IDs are random. */
  readonly seed?: number
  /** The journal that records each request. By default, requests are not recorded. */
  readonly journal?: EntrySink
  /**
   * Returns how to deliver the event that the next request triggers. By default, each event is delivered once,
   * immediately.
   */
  readonly deliveryPlan?: () => DeliveryPlan
}

const USER_AGENT = 'partner-sandbox-rehearse'
/** The origin in the URLs of all requests. It is fixed, so that signatures, which cover the URL, do not vary. */
const ORIGIN = 'http://127.0.0.1'
const NO_JOURNAL: EntrySink = { add: () => undefined }
const NO_FAULTS = { strike: () => [] }
/** A constant mixed into the seed, so that IDs are independent of other random numbers from the same seed. */
const OWN_IDS = 0x1d5

/**
 * Returns a function that sends requests on behalf of guests, staff and other tills. The requests pass through all of
 * the service's usual layers except the rate limit and the faults.
 */
export function createRequester(
  state: SandboxState,
  { seed, journal = NO_JOURNAL, deliveryPlan }: SendOptions = {},
): Send {
  const service = sandboxService(state, journal, null)
  const random = seed === undefined ? null : randomFrom(mixSeeds(seed, OWN_IDS))
  return async (method, path, members) => {
    const url = new URL(path, ORIGIN)
    if (method === 'GET') url.search = new URLSearchParams(Object.entries(members ?? {})).toString() || url.search
    const bytes = method === 'GET' || members === undefined ? null : Buffer.from(JSON.stringify(members))
    const isSigned = bytes !== null && path.includes('/partners/')
    const headers = {
      'user-agent': USER_AGENT,
      'x-api-key': SANDBOX_KEYS.good,
      'content-type': 'application/json',
      ...(isSigned ? { [LOWER_SIGNATURE_HEADER]: sign(bytes, url.href, SIGNING_SECRET) } : {}),
    }
    const reply = await service({
      request: { method, url, urlAsSent: url.href, headers, body: bytes },
      clock: state.settings().clock,
      faults: NO_FAULTS,
      ...(random ? { drawHex: (count) => hex(random, count * 2) } : {}),
      ...(deliveryPlan ? { delivery: deliveryPlan() } : {}),
    })
    const answer = await text(reply.body)
    return { status: reply.status, text: answer, body: answer === '' ? null : (parseJson(answer) as JsonValue) }
  }
}
