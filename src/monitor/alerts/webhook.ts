import { Failure, messageOf } from '../../base/failure/failure.ts'
import type { Variables } from '../../base/storage/directories.ts'
import { readSecret } from '../../client/profiles/secret-reading.ts'
import type { SecretName } from '../../client/profiles/secrets.ts'
import { isLoopback } from '../../http/loopback.ts'
import { isAccepted, openTarget, type Sent, type Target } from '../../webhooks/listener/target.ts'
import type { Given, WebhookEntry } from '../file/monitor-file.ts'

/** The time limit, in milliseconds, for one attempt. */
const LIMIT_MS = 10_000
const SECRET_LIMIT_MS = 10_000

export interface WebhookParts {
  readonly env: Variables
  readonly version: string
  /** Hides a secret in all later output. */
  readonly hide: (secret: string) => void
  readonly warn: (line: string) => void
}

/** The target and the headers of the POST request that delivers an alert. */
interface Receiver {
  readonly target: Target
  readonly headers: Readonly<Record<string, string>>
}

/** Posts alerts to a receiver. Reads the secrets again for each attempt, because they might have been replaced. */
export class Webhook {
  readonly #entry: WebhookEntry
  readonly #parts: WebhookParts

  constructor(entry: WebhookEntry, parts: WebhookParts) {
    this.#entry = entry
    this.#parts = parts
  }

  /** Returns the receiver's origin. Throws NO_PROFILE if a secret cannot be read, or USAGE for an unusable URL. */
  async prepare(): Promise<string> {
    const { target } = await this.#open()
    await target.close()
    return target.url.origin
  }

  /**
   * Makes one attempt. Returns `null` if the receiver responds with a 2xx status and otherwise describes the problem.
   * Never throws.
   */
  async post(id: string, line: string): Promise<string | null> {
    try {
      const { target, headers } = await this.#open()
      try {
        const sent = await target.post({ ...headers, 'idempotency-key': id }, Buffer.from(line.trimEnd()), LIMIT_MS)
        return isAccepted(sent.status) ? null : describeProblem(sent)
      } finally {
        await target.close()
      }
    } catch (error) {
      return error instanceof Failure ? error.words : messageOf(error)
    }
  }

  async #open(): Promise<Receiver> {
    const { env, version } = this.#parts
    const url = parseWebhookUrl(await this.#read(this.#entry.url, 'webhook URL'))
    if (typeof url === 'string') throw new Failure('USAGE', `the webhook URL ${url}`)
    const own = { 'content-type': 'application/json', 'user-agent': `partner/${version}` }
    const headers: Record<string, string> = { ...own }
    for (const [name, given] of Object.entries(this.#entry.headers)) {
      headers[name] = await this.#read(given, 'value of a header')
      if (!isHeaderValue(headers[name]))
        throw new Failure(
          'NO_PROFILE',
          `the value of the header ${name} contains characters that are not allowed in a header`,
        )
    }
    return { target: await openTarget(url, env), headers }
  }

  async #read(given: Given, what: SecretName): Promise<string> {
    if ('text' in given) return given.text
    const { env, hide, warn } = this.#parts
    const value = await readSecret(given.secret, env, what, { warn, limitMs: SECRET_LIMIT_MS })
    hide(value)
    return value
  }
}

/** Returns the URL or a description of its problem. Never quotes the URL, because it might contain a token. */
export function parseWebhookUrl(text: string): URL | string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /\s/.test(text)) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password: use a header'
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'must be an https URL: plain http is allowed only for 127.0.0.1, [::1] and localhost'
  return url
}

export function isHeaderValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text)
}

function describeProblem({ status, error, location }: Sent): string {
  if (status === null) return error ?? 'no response'
  const origin = location === null ? null : URL.parse(location)?.origin
  return `it answered ${status}${origin ? `, which redirects to ${origin} and is not followed` : ''}`
}
