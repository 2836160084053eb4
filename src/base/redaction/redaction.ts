import { SecretFinder } from './secret-finder.ts'

const SECRET_HEADERS = new Set(
  `x-api-key authorization proxy-authorization cookie set-cookie x-security-key x-security-token
  x-sandbox-token`.split(/\s+/),
)

const SECRET_MEMBER =
  /("(?:security_?(?:key|token)|api_?key|signing_?secret|password)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[[{](?:"(?:[^"\\]|\\.)*"?|[^"\]}])*[\]}]?|[^\s",}\][{]+)/gi

export const HIDDEN = '••••'

/** Replaces the values of headers that contain credentials. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  /** The names of additional headers to redact, in lower case. */
  more: readonly string[] = [],
  hide: (secret: string) => string = () => HIDDEN,
): Record<string, string> {
  const isSecret = (name: string) => SECRET_HEADERS.has(name) || more.includes(name)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? hide(value) : value]),
  )
}

/**
 * Headers that never contain secrets, in lower case. All other headers are redacted, because no list of secret headers
 * could be complete.
 */
const HARMLESS_HEADERS = new Set(
  `accept accept-charset accept-encoding accept-language cache-control connection content-encoding content-language content-length
  content-type date expect host keep-alive pragma te trailer transfer-encoding user-agent via
  forwarded x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto x-real-ip origin
  request-id x-request-id correlation-id x-correlation-id trace-id x-trace-id traceparent x-amzn-trace-id cf-ray idempotency-key
  event event-id event-type x-event x-event-id x-event-name x-event-time x-event-type delivery-id x-delivery-id x-delivery-attempt
  webhook-id webhook-timestamp x-webhook-attempt x-webhook-delivery x-webhook-event x-webhook-id x-webhook-timestamp
  ce-id ce-source ce-specversion ce-subject ce-time ce-type x-partner-repair x-partner-via`.split(/\s+/),
)

/** Settings that change which headers {@link redactUnknownHeaders} redacts. */
export interface HeaderExceptions {
  /** Names of additional headers to keep, in lower case. */
  readonly names: readonly string[]
  /** Secret values. A header whose value contains one of them is always redacted. */
  readonly secrets: readonly string[]
}

/** Replaces the values of all headers except harmless ones and the given exceptions. */
export function redactUnknownHeaders(
  headers: Readonly<Record<string, string>>,
  { names, secrets }: HeaderExceptions,
): Record<string, string> {
  const isKept = (name: string, value: string) =>
    (HARMLESS_HEADERS.has(name) || names.includes(name)) && !secrets.some((secret) => value.includes(secret))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isKept(name, value) ? value : HIDDEN]),
  )
}

/** Replaces the values of members that contain credentials, even if the JSON is truncated. */
export function redactBody(text: string): string {
  return text.replace(SECRET_MEMBER, (_, name: string) => `${name}"${HIDDEN}"`)
}

/** Masks a secret. If it is long enough, its last four characters stay visible. */
export function maskSecret(secret: string): string {
  const tail = secret.slice(-4)
  return secret.length >= 12 && /^[!-~]{4}$/.test(tail) ? `${HIDDEN}${tail}` : HIDDEN
}

/**
 * Replaces the given secrets in text, in whatever form they are written. If a buffer contains no secrets, returns the
 * same buffer.
 */
export function hideSecrets<T extends string | Buffer>(text: T, secrets: readonly string[]): T | string {
  if (secrets.length === 0) return text
  const finder = getSecretFinder(secrets)
  if (finder.isEmpty || !mayHold(text, secrets)) return text
  const bytes: Buffer = Buffer.from(text as string)
  let clean = ''
  let from = 0
  for (const { start, end } of finder.find(bytes)) {
    clean += bytes.toString('utf8', from, start) + HIDDEN
    from = end
  }
  return from === 0 ? text : clean + bytes.toString('utf8', from)
}

/** Returns whether the text contains an unescaped secret, or a character that could begin an escape sequence. */
function mayHold(text: string | Buffer, secrets: readonly string[]): boolean {
  return text.includes('\\') || text.includes('%') || secrets.some((secret) => text.includes(secret))
}

const finders = new WeakMap<readonly string[], { readonly count: number; readonly finder: SecretFinder }>()

/** Returns a cached finder for a list of secrets. The list can grow between calls. */
export function getSecretFinder(secrets: readonly string[]): SecretFinder {
  const known = finders.get(secrets)
  if (known?.count === secrets.length) return known.finder
  const finder = new SecretFinder(secrets)
  finders.set(secrets, { count: secrets.length, finder })
  return finder
}

/** Returns the ways in which a secret can be written: as plain text, in a URL, in JSON, and in JSON within JSON. */
export function listWrittenForms(secret: string): Set<string> {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return new Set([secret, encodeURIComponent(secret), inJson, JSON.stringify(inJson).slice(1, -1)])
}
