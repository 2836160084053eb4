import type { Paging } from '../../client/calls/paginate.ts'
import { flag } from './flags.ts'
import type { Problems } from './problems.ts'

export const PAGING_FLAGS = {
  limit: flag('N', 'Stop after N records.'),
  'page-size': flag('N', 'Records per request (default: 100); the service may return fewer.'),
} as const

const MAX_PAGE_SIZE = 100_000
const DEFAULT_PAGE_SIZE = 100

export type PagingFlags = { readonly limit?: string | undefined; readonly 'page-size'?: string | undefined }

export function parsePaging(flags: PagingFlags, problems: Problems): Paging {
  const limit = problems.wholeNumber('--limit', flags.limit, 1, Number.MAX_SAFE_INTEGER)
  const pageSize = problems.wholeNumber('--page-size', flags['page-size'], 1, MAX_PAGE_SIZE)
  return { limit, pageSize: pageSize ?? DEFAULT_PAGE_SIZE }
}
