import { existsSync } from 'node:fs'
import { isLoopback } from '../contract/loopback.ts'
import { serve } from '../http/serve.ts'
import { sandboxApp } from './app/app.ts'
import { GENEROUS_LIMIT, type RateLimit, RateLimiter } from './app/rate-limit.ts'
import { leaveAdminToken } from './control/admin-token.ts'
import type { ClockReading } from './control/control.ts'
import { localControl, readingOf } from './control/local.ts'
import { withAdmin } from './control/with-admin.ts'
import { PARTNER_NAME, SANDBOX_KEYS, SIGNATURE_HEADER, SIGNING_SECRET } from './credentials.ts'
import { Deliverer } from './deliveries/deliverer.ts'
import { removeJournal } from './journal/journal.ts'
import { openState, refill } from './open-state.ts'
import { randomHex } from './records/random-hex.ts'
import { seedOf } from './seed/fill.ts'
import type { SandboxState } from './state.ts'
import { damage, databasePath, isInUse, removeStore } from './store/store.ts'
import { VENUE_TIMEZONE } from './venue/time.ts'
import { VENUE } from './venue/venue.ts'

/** How a sandbox is to be. */
export interface SandboxOptions {
  /** The directory that keeps the state, made when it is missing; `:memory:` keeps nothing. */
  readonly data: string
  /** 0, the default: any free one. */
  readonly port?: number
  /** What the venue is drawn from, when it is made. */
  readonly seed?: number
  /** `startAt` in milliseconds since 1970. Without it the time goes on as the data directory has it. */
  readonly clock?: { readonly startAt?: number; readonly frozen?: boolean }
  /** Null: none. Generous unless given. */
  readonly rateLimit?: RateLimit | null
  /** True when it is to go on running and work by itself, delivering webhooks; a one-shot does so only on closing. */
  readonly background?: boolean
  /** Where to listen; 127.0.0.1 unless given. Anywhere else it takes no orders (faults, journal, clock) over HTTP. */
  readonly host?: string
  /** Told of errors that should never happen. */
  readonly onUnexpected?: (error: unknown) => void
}

/** A sandbox that answers. Its credentials are the same everywhere and of no use elsewhere. */
export interface Sandbox {
  /** `http://127.0.0.1:4010`; where it listens on every address, the one of this machine to itself. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly keys: { readonly unknownApp: string; readonly unlinkedVenue: string }
  readonly partnerName: string
  readonly signatureHeader: string
  readonly signingSecret: string
  readonly locationId: string
  readonly timezone: string
  /** What its venue was drawn from. */
  readonly seed: number
  /** Where its time stood when it started. */
  readonly clock: ClockReading
  /** Ends within two seconds. */
  close(): Promise<void>
}

const CATCH_UP_AFTER_MS = 25

/** How long closing waits for webhooks that are being delivered, in milliseconds. */
const LAST_DELIVERIES_MS = 1000

/**
 * Starts the whole service on a loopback port, with a venue that is full around now.
 * Fails: INTERNAL when the data cannot be opened or is damaged (it is kept), NETWORK_ERROR when the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const state = openState(options.data, options)
  if (options.onUnexpected) state.onUnexpected = options.onUnexpected
  const host = options.host ?? '127.0.0.1'
  const limit = options.rateLimit === undefined ? GENEROUS_LIMIT : options.rateLimit
  const app = sandboxApp(state, limit && new RateLimiter(limit))
  const adminToken = options.background && isLoopback(host) ? randomHex(24) : null
  const transport = adminToken === null ? app : withAdmin(localControl(state), adminToken)(app)
  const served = await serve(transport, { port: options.port ?? 0, host }).catch((error: unknown) => {
    state.close()
    throw error
  })
  const forgetToken = adminToken === null ? null : leaveAdminToken(served.port, adminToken)
  const tell = (error: unknown) => state.onUnexpected(damage(error, databasePath(options.data)) ?? error)
  const deliverer = new Deliverer(state.world, tell)
  if (options.background) deliverer.start(() => passTime(state))
  const catchingUp = options.background ? catchUpSoon(state, tell) : undefined
  let closing: Promise<void> | undefined
  const close = async () => {
    forgetToken?.()
    clearTimeout(catchingUp)
    const delivered = options.background ? deliverer.stop(LAST_DELIVERIES_MS) : deliverer.deliverDue(LAST_DELIVERIES_MS)
    await Promise.all([served.close(), delivered])
    state.close()
  }
  return {
    baseUrl: originFor(host, served),
    apiKey: SANDBOX_KEYS.good,
    keys: { unknownApp: SANDBOX_KEYS.unknownApp, unlinkedVenue: SANDBOX_KEYS.unlinkedVenue },
    partnerName: PARTNER_NAME,
    signatureHeader: SIGNATURE_HEADER,
    signingSecret: SIGNING_SECRET,
    locationId: VENUE.id,
    timezone: VENUE_TIMEZONE,
    seed: seedOf(state.world.store),
    clock: readingOf(state.world.clock),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** An address that stands for all of them is none to send requests to. */
function originFor(host: string, served: { readonly origin: string; readonly port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${served.port}`
  return /^[0:]+$/.test(host) && host.includes(':') ? `http://[::1]:${served.port}` : served.origin
}

/** In the time in which whoever started it turns to its first request. */
function catchUpSoon(state: SandboxState, tell: (error: unknown) => void): NodeJS.Timeout {
  return setTimeout(() => {
    try {
      state.catchUp()
    } catch (error) {
      tell(error)
    }
  }, CATCH_UP_AFTER_MS).unref()
}

function passTime(state: SandboxState): void {
  state.refresh()
  state.letTimePass()
}

/**
 * Throws away what a data directory keeps; the next start makes a new venue. Sandboxes that are running on it have a new
 * one at once. A directory that keeps none is left alone, whatever is in it. Returns whether there was one.
 */
export function resetSandbox(data: string): boolean {
  if (!existsSync(databasePath(data))) return false
  removeJournal(data)
  if (isInUse(data)) refill(data)
  else removeStore(data)
  return true
}
