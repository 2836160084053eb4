import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Problems } from '../problems.ts'

/** The path and query of a raw request. */
export interface RawTarget {
  /** Starts with a slash; percent-encoded, as it is sent. */
  readonly path: string
  /** Without the question mark; '' when there is none. */
  readonly search: string
}

/** Reads a path below the base URL, with or without a query. One that could lead to another service becomes a problem. */
export function parseTarget(typed: string, problems: Problems): RawTarget {
  const add = (what: string) => problems.add(`PATH ${what}`, 'for example /Bookings/BK-1; nothing was sent')
  const [path = '', search = ''] = split(typed)
  if (/^[a-z][a-z\d+.-]*:/i.test(typed) || /^[/\\]{2}/.test(typed))
    add('must be a path below the base URL, not an address: use --base-url for another service')
  else if (typed.trim() === '') add('must not be empty')
  else if (/[\\#\s\0-\x1f\x7f]/.test(typed)) add('must not contain spaces, backslashes or #: percent-encode them')
  else if (path.split('/').some((segment) => /^\.{1,2}$/.test(segment.replace(/%2e/gi, '.'))))
    add('must not contain . or .. segments')
  return { path: encoded(path.startsWith('/') ? path : `/${path}`), search: encodedQuery(search) }
}

/** Reads a method, in any case. */
export function parseMethod(typed: string, problems: Problems): string {
  const method = typed.toUpperCase()
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT' || method === 'TRACE')
    problems.add(`METHOD must be GET, POST, PATCH, PUT, DELETE or the like, not ${JSON.stringify(typed)}`)
  return method
}

/** Checks that a request can be sent page by page, if it is to be. */
export function checkPaginated(
  method: string,
  target: RawTarget,
  flags: {
    readonly paginate?: boolean | undefined
    readonly include?: boolean | undefined
    readonly limit?: string | undefined
    readonly 'page-size'?: string | undefined
  },
  problems: Problems,
): void {
  if (!flags.paginate) {
    if (flags.limit !== undefined || flags['page-size'] !== undefined)
      problems.add('--limit and --page-size need --paginate', 'add --paginate')
    return
  }
  if (method !== 'GET') problems.add('--paginate needs METHOD GET')
  if (flags.include) problems.add('--include and --paginate cannot be given together')
  if (/(?:^|&)(?:Limit|StartIndex)=/i.test(target.search))
    problems.add('PATH must not set Limit or StartIndex with --paginate', 'use --limit and --page-size')
}

/** Finds the endpoint of a method and path; a list comes in pages unless the contract says otherwise. */
export async function findEndpoint(method: string, target: RawTarget, isSigned: boolean): Promise<Endpoint> {
  const { resolveEndpoint } = await import('../../../client/calls/raw.ts')
  return resolveEndpoint(method, target.path, isSigned)
}

function split(typed: string): [string, string] {
  const mark = typed.indexOf('?')
  return mark < 0 ? [typed, ''] : [typed.slice(0, mark), typed.slice(mark + 1)]
}

/** Encoded as in a URL, so that what is signed is what is sent. */
function encoded(path: string): string {
  const url = new URL('http://localhost')
  url.pathname = path
  return url.pathname.replaceAll('{', '%7B').replaceAll('}', '%7D')
}

function encodedQuery(search: string): string {
  const url = new URL('http://localhost')
  url.search = search
  return url.search.slice(1)
}
