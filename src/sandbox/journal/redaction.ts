/** Headers of a request whose values open something. */
const SECRET_HEADERS = new Set(['x-api-key', 'authorization', 'cookie', 'proxy-authorization', 'x-sandbox-token'])

const LONGEST_BODY = 4096

/** A secret as it is shown: at most its last four characters, and none of a short one. */
function masked(secret: string): string {
  return `••••${secret.length >= 12 ? secret.slice(-4) : ''}`
}

/** Headers with their secrets masked. `signatureHeader` is in lower case. */
export function redactedHeaders(
  headers: Readonly<Record<string, string>>,
  signatureHeader: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) =>
      SECRET_HEADERS.has(name) || name === signatureHeader ? [name, masked(value)] : [name, value],
    ),
  )
}

const SECRET_MEMBERS = /("security(?:Key|Token)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi

/** The beginning of a body as text, with the credentials of webhooks masked; null when there is none. */
export function redactedBody(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.byteLength === 0) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LONGEST_BODY)).toString('utf8')
  const safe = text.includes('ecurity') ? text.replace(SECRET_MEMBERS, '$1"••••"') : text
  return bytes.byteLength > LONGEST_BODY ? `${safe}… (${bytes.byteLength} bytes)` : safe
}
