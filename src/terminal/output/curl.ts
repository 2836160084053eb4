import { isUtf8 } from 'node:buffer'
import { quotePosixWord } from '../../base/failure/shell-word.ts'
import type { WireRequest } from '../../http/transport.ts'

const SECRET_MEMBERS: Readonly<Record<string, string>> = {
  securityKey: 'PARTNER_SECURITY_KEY',
  securityToken: 'PARTNER_SECURITY_TOKEN',
}

const SECRET_MEMBER = /"(securityKey|securityToken)"\s*:\s*"(?:[^"\\]|\\.)*"/g

/** The methods for which partner sends `content-length: 0` without a body. curl does not send it. */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Returns a request as a curl command for bash, with variables instead of secrets. Also returns the names of the
 * variables.
 */
export function curlCommand({ method, url, headers, body: bytes }: WireRequest, sendsKey: boolean) {
  const body = bytes === null ? null : bodyArgument(bytes)
  const given = Object.entries(headers).map(headerArgument)
  if (sendsKey) given.push('--header "X-API-KEY: $PARTNER_API_KEY"')
  if (body === null && EXPECTS_BODY.has(method)) given.push("--header 'content-length: 0'")
  return {
    text: commandText(method, url.href, given, body),
    variables: [...(sendsKey ? ['PARTNER_API_KEY'] : []), ...(body?.variables ?? [])],
  }
}

/** Returns a signed request as a curl command, with exactly the URL that was signed. */
export function signedCurl(url: string, bytes: Uint8Array, header: string, signature: string): string {
  const headers = ["--header 'content-type: application/json'", headerArgument([header, signature])]
  return commandText('POST', url, headers, bodyArgument(bytes))
}

function commandText(method: string, url: string, headers: readonly string[], body: Body | null): string {
  const request = method === 'HEAD' ? '--head' : `--request ${method}`
  // curl would interpret brackets and braces in a URL as patterns.
  const globbing = /[[\]{}]/.test(url) ? ' --globoff' : ''
  const first = `curl --silent --show-error ${request}${globbing}`
  const text = [first, quotePosixWord(url), ...headers, ...(body === null ? [] : [body.argument])].join(' \\\n  ')
  return body?.before ? `${body.before} | ${text}` : text
}

/**
 * Returns the curl option for a header. An empty value is written as `name;`, because curl removes a header given as
 * `name:`.
 */
function headerArgument([name, value]: readonly [string, string]): string {
  return `--header ${quotePosixWord(value === '' ? `${name};` : `${name}: ${value}`)}`
}

type Body = { readonly argument: string; readonly variables: readonly string[]; readonly before?: string }

function bodyArgument(bytes: Uint8Array): Body {
  const text = Buffer.from(bytes).toString('utf8')
  // Use a pipe, because a command-line argument cannot contain NUL or bytes that are not UTF-8.
  if (!isUtf8(bytes) || text.includes('\0'))
    return {
      before: `base64 --decode <<< ${quotePosixWord(Buffer.from(bytes).toString('base64'))}`,
      argument: '--data-binary @-',
      variables: [],
    }
  const variables: string[] = []
  let argument = ''
  let from = 0
  for (const match of text.matchAll(SECRET_MEMBER)) {
    const variable = SECRET_MEMBERS[match[1] ?? ''] ?? ''
    variables.push(variable)
    argument += `${quotePosixWord(`${text.slice(from, match.index)}"${match[1]}":"`)}"$${variable}"`
    from = match.index + match[0].length - 1
  }
  const whole = `${argument}${quotePosixWord(text.slice(from))}`
  // The shell's built-in printf has no limit on the length of its arguments.
  if (whole.length > MAX_ARGUMENT_LENGTH)
    return { before: `printf %s ${whole}`, argument: '--data-binary @-', variables }
  return { argument: `--data-raw ${whole}`, variables }
}

/** The maximum length of an argument, in characters. A character takes up to 4 bytes, and Linux allows 128 KiB. */
const MAX_ARGUMENT_LENGTH = 30_000
