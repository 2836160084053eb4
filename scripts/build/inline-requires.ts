import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** `const config_1 = require("./config")`, as TypeScript emits it, plain or wrapped in one of its interop helpers. */
const REQUIRE = /^const (\w+) = ((?:__importDefault|__importStar)?\(?require\((?:"[^"]+"|'[^']+')\)\)?);?$/gm

/** Packages whose own files require more than a command needs; what is required is then loaded at its first use. */
const WHOLE_PACKAGES = /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/

/** Single requires elsewhere: undici's HTTP/2, which costs 7 ms to load and is used only when a server offers it. */
const SINGLE = { file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/, name: 'connectH2' }

/**
 * Loads a CommonJS dependency where it is used instead of where it is named: the same code, the same modules, in the order
 * in which they are needed. Fails when a file no longer has the require that was to be moved.
 */
export const inlineRequires: Plugin = {
  name: 'inline-requires',
  setup(build) {
    build.onLoad({ filter: WHOLE_PACKAGES }, async ({ path }) => ({
      contents: inlined(await readFile(path, 'utf8')),
      loader: 'js',
    }))
    build.onLoad({ filter: SINGLE.file }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = inlined(source, SINGLE.name)
      if (contents === source)
        throw new Error(`${path} no longer requires ${SINGLE.name}: look at scripts/build/inline-requires.ts again`)
      return { contents, loader: 'js' }
    })
  },
}

/** What stands in undici for a module of Node, so that a start does not pay for it. */
const STAND_INS: Readonly<Record<string, string>> = {
  // For the limit on headers, which it is told, and to know the requests of a server, of which it gets none: it copes without.
  'node:http': 'module.exports = {}',
  // Its assertions hold; the module is there for one that does not.
  'node:assert': "module.exports = (value, message) => { if (!value) require('node:assert')(value, message) }",
}

/** Undici without modules of Node that it hardly uses: 20 million instructions of a start. */
export const lighterUndici: Plugin = {
  name: 'lighter-undici',
  setup(build) {
    build.onResolve({ filter: /^node:(?:http|assert)$/ }, ({ path, importer }) =>
      /[\\/]undici[\\/]lib[\\/]/.test(importer) ? { path, namespace: 'stand-in' } : null,
    )
    build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] ?? '' }))
  },
}

function inlined(source: string, only?: string): string {
  let result = source
  for (const [line, name = '', expression = ''] of source.matchAll(REQUIRE)) {
    if (only ? name !== only : !name.endsWith('_1') && !/^(Errors|Parser|interfaces)$/.test(name)) continue
    const uses = new RegExp(`(?<![\\w.$'"])${name}(?![\\w$'"])`, 'g')
    result = result.replace(line, '').replace(uses, `(${expression})`)
  }
  return result
}
