import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { type CodeCachePlaces, codeCachePlaces, keepCodeCache, readCodeCache, sealed } from './code-cache.ts'

interface Compiled {
  readonly script: Script
  /** 32 digits that tell the bundle from every other. */
  readonly mark: string
  readonly places: CodeCachePlaces
  readonly isCached: boolean
}

/** The bundles that a run loads: dist/partner.cjs, and those beside it that it requires. */
export class Bundles {
  readonly #group: string
  readonly #loaded = new Map<string, Compiled & { readonly module: { exports: unknown } }>()

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
function compile(file: string, group: string): Compiled {
  // The build lets nothing but ASCII into a bundle, and V8 takes latin1 fastest.
  const source = readFileSync(file, 'latin1')
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
