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

/** A request as a command for bash. */
export interface CurlCommand {
  /** One command over several lines, without a line end. */
  readonly text: string
  /** Variables that must be set where it is run. */
  readonly variables: readonly string[]
}

/**
 * The request as a curl command that can be pasted into bash. With `sendsKey` the API key is `$PARTNER_API_KEY`; credentials
 * of webhooks in the body are variables as well, so that no secret stands in it.
 */
export function curlCommand(request: WireRequest, sendsKey: boolean): CurlCommand {
  const body = bodyArgument(request.body)
  const headers = Object.entries(request.headers).map(headerArgument)
  if (sendsKey) headers.push('--header "X-API-KEY: $PARTNER_API_KEY"')
  if (request.body === null && EXPECTS_BODY.has(request.method)) headers.push("--header 'content-length: 0'")
  const lines = [
    `curl --silent --show-error ${request.method === 'HEAD' ? '--head' : `--request ${request.method}`}${globbing(request.url)}`,
    shellWord(request.url.href),
    ...headers,
    ...(body === null ? [] : [body.argument]),
  ]
  const text = lines.join(' \\\n  ')
  return {
    text: body?.before ? `${body.before} | ${text}` : text,
    variables: [...(sendsKey ? ['PARTNER_API_KEY'] : []), ...(body?.variables ?? [])],
  }
}

/** A header as curl takes it: one without a value ends with a semicolon, as `name:` would take the header out. */
function headerArgument([name, value]: readonly [string, string]): string {
  return `--header ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`
}

/** Brackets and braces in a URL are patterns to curl. */
function globbing(url: URL): string {
  return /[[\]{}]/.test(url.href) ? ' --globoff' : ''
}

interface Body {
  readonly argument: string
  readonly variables: readonly string[]
  /** A command whose output is the body. */
  readonly before?: string
}

function bodyArgument(bytes: Uint8Array | null): Body | null {
  if (bytes === null) return null
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

/** A signed request to a partner inbound endpoint as a curl command; the URL stands in it exactly as it was signed. */
export function signedCurl(url: string, bytes: Uint8Array, header: string, signature: string): string {
  const body = bodyArgument(bytes)
  const text = [
    `curl --silent --show-error --request POST${/[[\]{}]/.test(url) ? ' --globoff' : ''}`,
    shellWord(url),
    "--header 'content-type: application/json'",
    headerArgument([header, signature]),
    body?.argument ?? '',
  ].join(' \\\n  ')
  return body?.before ? `${body.before} | ${text}` : text
}
