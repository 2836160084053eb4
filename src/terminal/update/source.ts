import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../http/loopback.ts'

/** Where it is asked which release is the newest. */
export interface UpdateSource {
  /** As it was given; it may be of no use, see {@link askableUrl}. */
  readonly address: string
  /** The page for people that a release brings; null: there is none. */
  readonly page: string | null
  readonly from: 'PARTNER_UPDATE_URL' | 'this release'
}

/** In dist/, of a package that was made with an address: `{"url", "page"}`. */
export const UPDATE_FILE = 'update.json'

const MOST_CHARACTERS = 2000

/** The source that a variable names, else the one that this release brings; null: nobody is asked. It never fails. */
export function updateSource(env: Readonly<Record<string, string | undefined>>, dist: string): UpdateSource | null {
  const given = env['PARTNER_UPDATE_URL']
  if (given) return { address: given, page: null, from: 'PARTNER_UPDATE_URL' }
  try {
    const { url, page } = JSON.parse(readFileSync(join(dist, UPDATE_FILE), 'utf8')) as Record<string, unknown>
    if (typeof url !== 'string') return null
    return { address: url, page: typeof page === 'string' && askableUrl(page) ? page : null, from: 'this release' }
  } catch {
    return null
  }
}

/** An address that may be asked: https, or http to this machine, without user, password, query or fragment. Null for any other. */
export function askableUrl(address: string): URL | null {
  const url = address.length <= MOST_CHARACTERS && /^https?:\/\/[!-~]+$/i.test(address) ? URL.parse(address) : null
  if (url === null || /[\\?#@]/.test(address)) return null
  return url.protocol === 'https:' || isLoopback(url.hostname) ? url : null
}
