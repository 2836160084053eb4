/** Headers whose values open something, in lower case. */
const SECRET_HEADERS = new Set([
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-security-key',
  'x-security-token',
  'x-sandbox-token',
])

const SECRET_MEMBER =
  /("(?:security_?(?:key|token)|api_?key|signing_?secret|password)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s",}\]]+)/gi

/** Stands in place of a secret. */
export const HIDDEN = '••••'

/** A shorter one could be part of any word. */
const SHORTEST_SECRET = 6

/** Headers with the values of those hidden that open something. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  /** Names of further headers to hide, in lower case. */
  more: readonly string[] = [],
  /** What stands in place of a value. */
  hide: (secret: string) => string = () => HIDDEN,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name) || more.includes(name) ? hide(value) : value,
    ]),
  )
}

/** A body with the credentials in it hidden: the members of JSON that hold some, whether or not it is whole. */
export function redactBody(text: string): string {
  return text.replace(SECRET_MEMBER, (_, name: string) => `${name}"${HIDDEN}"`)
}

/** A secret that its owner can still recognise: its last four characters when that leaves most of it hidden, else none. */
export function maskSecret(secret: string): string {
  const tail = secret.slice(-4)
  return secret.length >= 12 && /^[!-~]{4}$/.test(tail) ? `${HIDDEN}${tail}` : HIDDEN
}

/** A text without the given secrets, wherever they stand in it. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [...writtenForms(secret)])
    .reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text)
}

/** A secret as it stands in plain text, in a URL, in JSON, and in JSON within JSON. */
function writtenForms(secret: string): Set<string> {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return new Set([secret, encodeURIComponent(secret), inJson, JSON.stringify(inJson).slice(1, -1)])
}
