import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { attempt } from '../../base/attempt.ts'
import { cacheDirectory, makePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import { discard } from '../../base/storage/rename-remove.ts'

/** The bundles that a run loads: dist/partner.cjs and everything that it requires. */
export class Bundles {
  readonly #group: string
  readonly #loaded = new Map<string, ReturnType<typeof compile> & { readonly module: { exports: unknown } }>()

  constructor(group: string) {
    this.#group = group
  }

  /** Runs a bundle once and returns its exports. Throws a system error or SyntaxError if the bundle is damaged. */
  load(file: string): unknown {
    const known = this.#loaded.get(file)
    if (known) return known.module.exports
    const module = { exports: {} }
    const compiled = compile(file, this.#group)
    this.#loaded.set(file, { ...compiled, module })
    const requireBeside = (id: string): unknown =>
      id.startsWith('./') ? this.load(join(dirname(file), id)) : require(id)
    compiled.script.runInThisContext()(module.exports, requireBeside, module, file, dirname(file))
    return module.exports
  }

  keepCodeCaches(): void {
    for (const { head, places, script, mark } of this.#loaded.values())
      if (head !== null && places.own !== null && head === headOfCodeCache())
        keepCodeCache(places.own, sealed(script, mark))
  }

  shipCodeCaches(isWanted: (file: string) => boolean): void {
    for (const [file, { places, script, mark }] of this.#loaded) {
      if (!isWanted(file)) continue
      mkdirSync(dirname(places.shipped), { recursive: true })
      writeFileSync(places.shipped, sealed(script, mark))
    }
  }
}

/**
 * Returns the header of a code cache. V8 rejects a cache unless its header matches V8's version and options. The
 * options may change during a run, for example when a long list is printed.
 */
function headOfCodeCache(): string {
  return new Script('0').createCachedData().toString('latin1', 0, 16)
}

/**
 * Compiles a bundle, using its code cache if the cache is undamaged and V8 accepts it. `head` is the header for a new
 * code cache, or `null` if V8 accepted an existing one.
 */
function compile(file: string, group: string) {
  // Bundles contain only ASCII, and V8 reads latin1 fastest.
  const source = readFileSync(file, 'latin1')
  // The last line contains 32 digits that identify the bundle.
  const [, mark] = /\/\/([0-9a-f]{32})\n$/.exec(source.slice(-40)) ?? []
  if (mark === undefined) throw new Error('its end is missing')
  const places = codeCachePlaces(file, mark, group)
  for (const place of [places.shipped, places.own]) {
    const cachedData = place === null ? undefined : readCodeCache(place, mark, place === places.own)
    if (cachedData === undefined) continue
    const script = new Script(source, { filename: file, cachedData })
    if (!script.cachedDataRejected) return { script, mark, places, head: null }
  }
  return { script: new Script(source, { filename: file }), mark, places, head: headOfCodeCache() }
}

/**
 * Groups of commands, by the first words of their names. All other commands are in the `read` or `sandbox` group. Each
 * group has its own code cache.
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

/** Returns the group of a command line. A wrong group only slows down start-up. */
export function codeCacheGroup(argv: readonly string[], env: Variables): string {
  if (env['PARTNER_PROFILE'] === 'sandbox' || argv.includes('sandbox') || argv.includes('--profile=sandbox'))
    return 'sandbox'
  for (const [at, word] of argv.entries())
    for (const words of [`${word} ${argv[at + 1]}`, word]) if (Object.hasOwn(GROUPS, words)) return GROUPS[words] ?? ''
  return 'read'
}

/**
 * Returns the paths of a bundle's code caches. `shipped` is in dist/. `own` is in the user's cache directory, or `null`
 * if that directory is unknown.
 */
function codeCachePlaces(bundle: string, mark: string, group: string) {
  const base = basename(bundle, '.cjs')
  const name = base === 'partner' ? `${base}-${group}` : base
  const key = `${process.versions.v8}-${process.platform}-${process.arch}`
  const shipped = join(import.meta.dirname, 'code-cache', key, `${name}.bin`)
  const own = () => join(cacheDirectory(process.env), 'code', `${name}-${key}-${mark}.bin`)
  return { shipped, own: attempt(own, null) }
}

/**
 * Reads a code cache. Returns `undefined` if it is missing or unusable. If `isOwn`, also removes an unusable file from
 * the user's cache directory.
 */
function readCodeCache(place: string, mark: string, isOwn: boolean): Buffer | undefined {
  try {
    const stat = statSync(place)
    // The cache contains code that partner runs, so no other user may be able to write to it.
    const isSafe = !isOwn || !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
    const data = stat.isFile() && isSafe ? unsealed(readFileSync(place), mark) : undefined
    if (data === undefined && isOwn) discard(place, 0)
    return data
  } catch {
    return undefined
  }
}

function keepCodeCache(place: string, bytes: Uint8Array): void {
  try {
    makePrivateDirectory(dirname(place))
    writeFileDurably(place, bytes)
  } catch {
    // Ignore errors, such as a full disk: the next run compiles the bundle again.
  }
}

/**
 * Returns the content of a cache file: two copies of the code cache, followed by the bundle's mark. `unsealed` checks
 * the copies and the mark, because V8 would also run a damaged cache, or the cache of any bundle of the same length.
 * Comparing two copies costs almost nothing, whereas a checksum would take 5 % of a run's time.
 */
function sealed(script: Script, mark: string): Buffer {
  const data = script.createCachedData()
  return Buffer.concat([data, data, Buffer.from(mark, 'latin1')])
}

function unsealed(bytes: Buffer, mark: string): Buffer | undefined {
  const end = bytes.length - mark.length
  if (end <= 0 || bytes.toString('latin1', end) !== mark) return undefined
  const data = bytes.subarray(0, end / 2)
  return data.equals(bytes.subarray(end / 2, end)) ? data : undefined
}
