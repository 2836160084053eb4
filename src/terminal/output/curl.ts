import { isUtf8 } from 'node:buffer'
import { shellWord } from '../../base/failure/shell-word.ts'
import type { WireRequest } from '../../http/transport.ts'

/** Members of a body that must not be printed, and the variables printed instead. */
const SECRET_MEMBERS: Readonly<Record<string, string>> = {
  securityKey: 'PARTNER_SECURITY_KEY',
  securityToken: 'PARTNER_SECURITY_TOKEN',
}

const SECRET_MEMBER = /"(securityKey|securityToken)"\s*:\s*"(?:[^"\\]|\\.)*"/g

/** Methods for which curl, unlike us, sends no length when there is no body. */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Returns the request as a curl command over several lines that can be pasted into bash, and the variables that must be set there.
 * With `sendsKey` the API key is `$PARTNER_API_KEY`; credentials of webhooks in the body are variables too, so that the text has no
 * secret.
 */
export function curlCommand(
  { method, url, headers, body: bytes }: WireRequest,
  sendsKey: boolean,
): { readonly text: string; readonly variables: readonly string[] } {
  const body = bytes === null ? null : bodyArgument(bytes)
  const given = Object.entries(headers).map(headerArgument)
  if (sendsKey) given.push('--header "X-API-KEY: $PARTNER_API_KEY"')
  if (body === null && EXPECTS_BODY.has(method)) given.push("--header 'content-length: 0'")
  return {
    text: commandText(method, url.href, given, body),
    variables: [...(sendsKey ? ['PARTNER_API_KEY'] : []), ...(body?.variables ?? [])],
  }
}

/** Returns a signed request to a partner inbound endpoint as a curl command; the URL is exactly as it was signed. */
export function signedCurl(url: string, bytes: Uint8Array, header: string, signature: string): string {
  const headers = ["--header 'content-type: application/json'", headerArgument([header, signature])]
  return commandText('POST', url, headers, bodyArgument(bytes))
}

function commandText(method: string, url: string, headers: readonly string[], body: Body | null): string {
  const request = method === 'HEAD' ? '--head' : `--request ${method}`
  // Brackets and braces in a URL are patterns to curl.
  const globbing = /[[\]{}]/.test(url) ? ' --globoff' : ''
  const first = `curl --silent --show-error ${request}${globbing}`
  const text = [first, shellWord(url), ...headers, ...(body === null ? [] : [body.argument])].join(' \\\n  ')
  return body?.before ? `${body.before} | ${text}` : text
}

/** Returns a header as curl takes it. One without a value ends with a semicolon: `name:` would remove the header. */
function headerArgument([name, value]: readonly [string, string]): string {
  return `--header ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`
}

interface Body {
  readonly argument: string
  readonly variables: readonly string[]
  /** A command whose output is the body. */
  readonly before?: string
}

function bodyArgument(bytes: Uint8Array): Body {
  const text = Buffer.from(bytes).toString('utf8')
  // An argument can hold neither a NUL nor bytes that are not text.
  if (!isUtf8(bytes) || text.includes('\0'))
    return {
      before: `base64 --decode <<< ${shellWord(Buffer.from(bytes).toString('base64'))}`,
      argument: '--data-binary @-',
      variables: [],
    }
  const variables: string[] = []
  let argument = ''
  let from = 0
  for (const match of text.matchAll(SECRET_MEMBER)) {
    const variable = SECRET_MEMBERS[match[1] ?? ''] ?? ''
    variables.push(variable)
    argument += `${shellWord(`${text.slice(from, match.index)}"${match[1]}":"`)}"$${variable}"`
    from = match.index + match[0].length - 1
  }
  const whole = `${argument}${shellWord(text.slice(from))}`
  // What the shell prints itself may have any length.
  if (whole.length > LONGEST_ARGUMENT) return { before: `printf %s ${whole}`, argument: '--data-binary @-', variables }
  return { argument: `--data-raw ${whole}`, variables }
}

/** Characters that an argument of a program may surely have: Linux takes 128 KiB, and a character up to 4 bytes. */
const LONGEST_ARGUMENT = 30_000
