import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { cacheDirectory, type Variables } from '../../base/storage/directories.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'

/** The bundles that a run loads: dist/partner.cjs, and those beside it that it requires. */
export class Bundles {
  readonly #group: string
  readonly #loaded = new Map<string, ReturnType<typeof compile> & { readonly module: { exports: unknown } }>()

  constructor(group: string) {
    this.#group = group
  }

  /** Runs a bundle, once, and returns what it exports. Fails: an error of the system or a syntax error when the bundle is damaged. */
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

  /** Keeps the code caches of a successful run for the user's next one. */
  keepCodeCaches(): void {
    for (const { isCached, places, script, mark } of this.#loaded.values())
      if (!isCached && places.own !== null) keepCodeCache(places.own, sealed(script, mark))
  }

  /** Puts the code caches of some bundles into dist/, for all users. Fails: an error of the system. */
  shipCodeCaches(isWanted: (file: string) => boolean): void {
    for (const [file, { places, script, mark }] of this.#loaded) {
      if (!isWanted(file)) continue
      mkdirSync(dirname(places.shipped), { recursive: true })
      writeFileSync(places.shipped, sealed(script, mark))
    }
  }
}

/** Compiles a bundle, from its code cache if there is one that is whole and that V8 accepts. */
function compile(file: string, group: string) {
  // The build lets nothing but ASCII into a bundle, and V8 takes latin1 fastest.
  const source = readFileSync(file, 'latin1')
  // 32 digits that tell the bundle from every other.
  const [, mark] = /\/\/([0-9a-f]{32})\n$/.exec(source.slice(-40)) ?? []
  if (mark === undefined) throw new Error('its end is missing')
  const places = codeCachePlaces(file, mark, group)
  const wrapped = `(function(exports,require,module,__filename,__dirname){${source}\n})`
  for (const place of [places.shipped, places.own]) {
    const cachedData = place === null ? undefined : readCodeCache(place, mark, place === places.own)
    if (cachedData === undefined) continue
    const script = new Script(wrapped, { filename: file, cachedData })
    if (!script.cachedDataRejected) return { script, mark, places, isCached: true }
  }
  return { script: new Script(wrapped, { filename: file }), mark, places, isCached: false }
}

/** Groups of commands by their first words; others are `read` or `sandbox`. Each group has a code cache of what it runs. */
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

/**
 * Returns the places for the code cache of a bundle, for one V8, one platform and one group of commands: that in dist/, made by the
 * build or an installer, and that in the user's cache directory, made by a first run. `null` if there is no such directory.
 */
function codeCachePlaces(bundle: string, mark: string, group: string) {
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
function readCodeCache(place: string, mark: string, isOwn: boolean): Buffer | undefined {
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
function keepCodeCache(place: string, bytes: Uint8Array): void {
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
