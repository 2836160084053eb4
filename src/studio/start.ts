import { Failure } from '../base/failure/failure.ts'
import { describeSystemError } from '../base/storage/system-error.ts'
import { isLoopback } from '../http/loopback.ts'
import { serve } from '../http/server/serve.ts'
import { withAllowedHosts } from '../sandbox/app/allowed-hosts.ts'
import { sandboxApp } from '../sandbox/app/app.ts'
import type { RateLimit } from '../sandbox/app/rate-limit.ts'
import type { ClockReading } from '../sandbox/control/control.ts'
import { withControl } from '../sandbox/control/endpoint.ts'
import { describeClock, localControl } from '../sandbox/control/local.ts'
import { storeToken } from '../sandbox/control/token.ts'
import { Deliverer } from '../sandbox/deliveries/deliverer.ts'
import { describeSandbox, type SandboxFacts } from '../sandbox/facts.ts'
import type { Recording } from '../sandbox/journal/har.ts'
import { openState, type StateOptions } from '../sandbox/open-state.ts'
import { randomHex } from '../sandbox/random-hex.ts'
import { readSeed } from '../sandbox/seed/fill.ts'
import type { SandboxState } from '../sandbox/state.ts'

export interface SandboxOptions extends StateOptions {
  /** The data directory, which is created if it does not exist. `:memory:` keeps the data in memory only. */
  readonly data: string
  /** The port to listen on. The default, 0, means any free port. */
  readonly port?: number | undefined
  /** The rate limit. The default, `null`, means no limit. */
  readonly rateLimit?: RateLimit | null | undefined
  /**
   * Whether the sandbox runs until it is stopped and delivers webhooks continuously. If false, it delivers them only
   * when it is closed.
   */
  readonly background?: boolean
  /**
   * The address to listen on. The default is 127.0.0.1. The sandbox can be controlled over HTTP only at a loopback
   * address.
   */
  readonly host?: string | undefined
  /** Host names that the sandbox accepts in addition to this machine's names and `host`. */
  readonly allowedHosts?: readonly string[]
  /** Whether to serve the browser page. Has no effect unless `background` is set and `host` is a loopback address. */
  readonly page?: boolean
  /**
   * The directory for a HAR file with all requests and responses. The default is PARTNER_SANDBOX_HAR. If neither is
   * set, no file is written.
   */
  readonly har?: string
}

export interface Sandbox extends SandboxFacts {
  readonly seed: number
  /** The venue's clock when the sandbox started. */
  readonly clock: ClockReading
  /** The URL of the browser page, including its token. It is absent if the page is not served. */
  readonly pageUrl?: string
  /** Stops the sandbox within two seconds. */
  close(): Promise<void>
}

const DIARY_AFTER_MS = 25

/** How long, in milliseconds, `close` waits for deliveries that are in progress. */
const LAST_DELIVERIES_MS = 1000

/**
 * Opens the data and serves it. Throws INTERNAL if the data cannot be used, and NETWORK_ERROR if the port is in use.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  return serveState(openState(options.data, options), options)
}

/**
 * Serves a sandbox whose state is already open. Closes the state when the sandbox closes, or if serving fails. Throws
 * NETWORK_ERROR if the port is in use.
 */
export async function serveState(state: SandboxState, options: Omit<SandboxOptions, 'data'>): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, rateLimit = null, background = false } = options
  const closed = (error: unknown) => {
    state.close()
    throw error
  }
  const recorded = await openRecording(options.har ?? process.env['PARTNER_SANDBOX_HAR']).catch(closed)
  const app = sandboxApp(state, rateLimit, recorded)
  const token = background && isLoopback(host) ? randomHex(24) : null
  const hasPage = token !== null && options.page === true
  // The page's code is loaded only if needed, because most sandboxes run for a single command and have no page.
  const page = hasPage ? (await import('./page/layer.ts')).makePage(state, randomHex(24)) : null
  const controlled = token === null ? app : withControl(localControl(state), token)(app)
  const transport = page === null ? controlled : page.layer(controlled)
  const guarded = withAllowedHosts(host, options.allowedHosts ?? [])(transport)
  const served = await serve(guarded, { port, host }).catch(closed)
  const removeToken = token === null ? null : storeToken(served.port, token)
  const deliverer = new Deliverer(state)
  if (background) deliverer.start()
  const diaryTimer = background ? scheduleDiary(state) : undefined
  const close = async () => {
    removeToken?.()
    clearTimeout(diaryTimer)
    page?.close()
    const delivered = background ? deliverer.stop(LAST_DELIVERIES_MS) : deliverer.deliverDue(LAST_DELIVERIES_MS)
    await Promise.all([served.close(), delivered])
    state.close()
  }
  let closing: Promise<void> | undefined
  const origin = chooseOrigin(host, served)
  return {
    ...describeSandbox(origin, state.store.venue),
    ...(page === null ? {} : { pageUrl: page.openAt(origin) }),
    seed: readSeed(state.store),
    clock: describeClock(state.settings().clock),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Starts recording to a directory, if one is given. Throws USAGE if the directory cannot be written to. */
async function openRecording(directory: string | undefined): Promise<Recording | null> {
  if (!directory) return null
  const { recordHarInto } = await import('../sandbox/journal/har.ts')
  try {
    return recordHarInto(directory)
  } catch (error) {
    throw new Failure('USAGE', `PARTNER_SANDBOX_HAR: cannot write to ${directory}: ${describeSystemError(error)}`, {
      hint: 'choose a directory that you can write to',
    })
  }
}

/**
 * Returns the origin that clients should use. If the sandbox listens on all interfaces, this is the loopback address.
 */
function chooseOrigin(host: string, served: { readonly origin: string; readonly port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${served.port}`
  return /^[0:]+$/.test(host) && host.includes(':') ? `http://[::1]:${served.port}` : served.origin
}

/** Creates the diary in the background, so that the first request does not have to wait for it. */
function scheduleDiary(state: SandboxState): NodeJS.Timeout {
  return setTimeout(() => {
    try {
      state.diary()
    } catch (error) {
      state.report(error)
    }
  }, DIARY_AFTER_MS).unref()
}
