import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../http/loopback.ts'

export interface UpdateSource {
  /** The URL as it was configured. It may be unusable; see {@link parseUpdateUrl}. */
  readonly address: string
  /** The URL of the release page, or `null` if there is none. */
  readonly page: string | null
  readonly from: 'PARTNER_UPDATE_URL' | 'this release'
}

/** A file in dist/ that contains `{"url", "page"}`. It exists only if the package was built with an update URL. */
export const UPDATE_FILE = 'update.json'

const MOST_CHARACTERS = 2000

/**
 * Returns the update source from the environment or, if it is not set there, from this release. Returns `null` if there
 * is none. Never fails.
 */
export function updateSource(env: Readonly<Record<string, string | undefined>>, dist: string): UpdateSource | null {
  const given = env['PARTNER_UPDATE_URL']
  if (given) return { address: given, page: null, from: 'PARTNER_UPDATE_URL' }
  try {
    const { url, page } = JSON.parse(readFileSync(join(dist, UPDATE_FILE), 'utf8')) as Record<string, unknown>
    if (typeof url !== 'string') return null
    return { address: url, page: typeof page === 'string' && parseUpdateUrl(page) ? page : null, from: 'this release' }
  } catch {
    return null
  }
}

/**
 * Parses an update URL. The URL must use https or point to this machine. It must not have a user name, query or
 * fragment. Returns `null` for any other text.
 */
export function parseUpdateUrl(address: string): URL | null {
  const url = address.length <= MOST_CHARACTERS && /^https?:\/\/[!-~]+$/i.test(address) ? URL.parse(address) : null
  if (url === null || /[\\?#@]/.test(address)) return null
  return url.protocol === 'https:' || isLoopback(url.hostname) ? url : null
}
