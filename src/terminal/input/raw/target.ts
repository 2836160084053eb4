import type { PagingFlags } from '../paging.ts'
import type { Problems } from '../problems.ts'

/**
 * Parses a path below the base URL and percent-encodes it. Adds a problem if the path could lead outside the base URL.
 */
export function parseTarget(typed: string, problems: Problems): { readonly path: string; readonly search: string } {
  const add = (what: string) => problems.add(`PATH ${what}`, 'nothing was sent; pass a path such as /Bookings/BK-1')
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(typed) ?? []
  if (/^[a-z][a-z\d+.-]*:/i.test(typed) || /^[/\\]{2}/.test(typed))
    add('must be a path below the base URL, not a full URL: use --base-url for another service')
  else if (typed.trim() === '') add('must not be empty')
  else if (/[\\#\s\0-\x1f\x7f]/.test(typed)) add('must not contain spaces, backslashes or #: percent-encode them')
  else if (path.split('/').some((segment) => /^\.{1,2}$/.test(segment.replace(/%2e/gi, '.'))))
    add('must not contain . or .. segments')
  // Encode the path with `URL`, as when the request is sent, so that the signature matches.
  const url = new URL('http://localhost')
  url.pathname = path.startsWith('/') ? path : `/${path}`
  url.search = search
  return { path: url.pathname.replaceAll('{', '%7B').replaceAll('}', '%7D'), search: url.search.slice(1) }
}

export function parseMethod(typed: string, problems: Problems): string {
  const method = typed.toUpperCase()
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT' || method === 'TRACE')
    problems.add(`METHOD must be an HTTP method, such as GET, POST, PATCH, PUT or DELETE, not ${JSON.stringify(typed)}`)
  return method
}

export function checkPaginated(
  method: string,
  search: string,
  flags: PagingFlags & { readonly paginate?: boolean | undefined; readonly include?: boolean | undefined },
  problems: Problems,
): void {
  if (!flags.paginate) {
    if (flags.limit !== undefined || flags['page-size'] !== undefined)
      problems.add('--limit and --page-size work only with --paginate', 'add --paginate')
    return
  }
  if (method !== 'GET') problems.add('--paginate works only with GET')
  if (flags.include) problems.add('--include and --paginate cannot be used together')
  if (/(?:^|&)(?:Limit|StartIndex)=/i.test(search))
    problems.add('PATH must not set Limit or StartIndex with --paginate', 'use --limit and --page-size')
}
