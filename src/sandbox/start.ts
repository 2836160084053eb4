import { serve } from '../http/serve.ts'
import { sandboxApp } from './app.ts'
import { PARTNER_NAME, SANDBOX_KEYS, SIGNATURE_HEADER, SIGNING_SECRET } from './credentials.ts'
import { openState } from './open-state.ts'
import { removeStore } from './store.ts'
import { VENUE } from './venue.ts'
import { VENUE_TIMEZONE } from './venue-time.ts'

/** At most so many requests in so many milliseconds, for each endpoint and key. */
export interface RateLimit {
  readonly count: number
  readonly windowMs: number
}

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
}

/** A sandbox that answers. Its credentials are the same everywhere and of no use elsewhere. */
export interface Sandbox {
  /** `http://127.0.0.1:4010` */
  readonly baseUrl: string
  readonly apiKey: string
  readonly keys: { readonly unknownApp: string; readonly unlinkedVenue: string }
  readonly partnerName: string
  readonly signatureHeader: string
  readonly signingSecret: string
  readonly locationId: string
  readonly timezone: string
  /** Ends within two seconds. */
  close(): Promise<void>
}

const DEFAULT_SEED = 1

/**
 * Starts the whole service on a loopback port, with a venue that is full around now.
 * Fails: INTERNAL when the data cannot be opened or is damaged (it is kept), NETWORK_ERROR when the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const state = openState(options.data, { seed: options.seed ?? DEFAULT_SEED, clock: options.clock ?? {} })
  try {
    const served = await serve(sandboxApp(state), { port: options.port ?? 0 })
    return {
      baseUrl: served.origin,
      apiKey: SANDBOX_KEYS.good,
      keys: { unknownApp: SANDBOX_KEYS.unknownApp, unlinkedVenue: SANDBOX_KEYS.unlinkedVenue },
      partnerName: PARTNER_NAME,
      signatureHeader: SIGNATURE_HEADER,
      signingSecret: SIGNING_SECRET,
      locationId: VENUE.id,
      timezone: VENUE_TIMEZONE,
      close: async () => {
        await served.close()
        state.close()
      },
    }
  } catch (error) {
    state.close()
    throw error
  }
}

/** Throws away what a data directory keeps; the next start makes a new venue. Nothing happens when there is none. */
export function resetSandbox(data: string): void {
  removeStore(data)
}
