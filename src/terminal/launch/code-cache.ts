import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Script } from 'node:vm'
import { cacheDirectory, type Variables } from '../../base/storage/directories.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'

/**
 * Groups of commands by their first words; all others are in `read`, and those of the sandbox in `sandbox`. Each group has a code
 * cache of what its own commands run, so that none pays for the others.
 */
const GROUPS: Readonly<Record<string, string>> = {
  'giftcards redeem': 'write',
  'giftcards cancel': 'write',
  'sales create': 'write',
  reservations: 'write',
  inbound: 'write',
  sign: 'local',
  profiles: 'local',
  config: 'local',
  operations: 'local',
}

/** Returns the group of a command line. One with the wrong group only starts slower. */
export function codeCacheGroup(argv: readonly string[], env: Variables): string {
  if (env['PARTNER_PROFILE'] === 'sandbox' || argv.includes('sandbox') || argv.includes('--profile=sandbox'))
    return 'sandbox'
  for (const [at, word] of argv.entries())
    for (const words of [`${word} ${argv[at + 1]}`, word]) if (Object.hasOwn(GROUPS, words)) return GROUPS[words] ?? ''
  return 'read'
}

/** Where the code cache of a bundle may be. */
export interface CodeCachePlaces {
  /** In dist/, made by the build or an installer. */
  readonly shipped: string
  /** In the user's cache directory, made by a first run; null when there is no such directory. */
  readonly own: string | null
}

/** Returns the places for the code cache of a bundle. A cache is for one V8, one platform and one group of commands. */
export function codeCachePlaces(bundle: string, mark: string, group: string): CodeCachePlaces {
  const base = basename(bundle, '.cjs')
  const name = base === 'partner' ? `${base}-${group}` : base
  const key = `${process.versions.v8}-${process.platform}-${process.arch}`
  const shipped = join(import.meta.dirname, 'code-cache', key, `${name}.bin`)
  try {
    return { shipped, own: join(cacheDirectory(process.env), 'code', `${name}-${key}-${mark}.bin`) }
  } catch {
    return { shipped, own: null }
  }
}

/** Reads a code cache; undefined if it is missing, damaged or another bundle's. In the user's directory (`isOwn`), such a file is removed. */
export function readCodeCache(place: string, mark: string, isOwn: boolean): Buffer | undefined {
  try {
    const stat = statSync(place)
    // What is read here is run: it must be a file that nobody else could have written.
    const isSafe = !isOwn || !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
    const data = stat.isFile() && isSafe ? unsealed(readFileSync(place), mark) : undefined
    if (data === undefined && isOwn) rmSync(place, { recursive: true, force: true })
    return data
  } catch {
    return undefined
  }
}

/** Keeps a sealed code cache for the user's next run. One that cannot be kept is no reason to say anything. */
export function keepCodeCache(place: string, bytes: Uint8Array): void {
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    writeFileDurably(place, bytes)
  } catch {
    // A read-only home, a full disk: the next run compiles again.
  }
}

/**
 * Returns what V8 has compiled of a bundle, as it is kept: twice, with the mark of the bundle behind it. V8 itself runs a damaged
 * cache, and that of any bundle of the same length. Comparing the two costs next to nothing; a checksum, a twentieth of a run.
 */
export function sealed(script: Script, mark: string): Buffer {
  const data = script.createCachedData()
  return Buffer.concat([data, data, Buffer.from(mark, 'latin1')])
}

function unsealed(bytes: Buffer, mark: string): Buffer | undefined {
  const end = bytes.length - mark.length
  if (end <= 0 || bytes.toString('latin1', end) !== mark) return undefined
  const data = bytes.subarray(0, end / 2)
  return data.equals(bytes.subarray(end / 2, end)) ? data : undefined
}
