import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** Matches `const config_1 = require("./config")` as TypeScript emits it, with or without an interop helper. */
const REQUIRE = /^const (\w+) = ((?:__importDefault|__importStar)?\(?require\((?:"[^"]+"|'[^']+')\)\)?);?$/gm

/** Files that load far more modules than any single command needs. Their modules are loaded on first use instead. */
const WHOLE_PACKAGES = /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/

/**
 * The require() call in undici that is deferred. It loads undici's HTTP/2 client, which takes 7 ms and is needed only
 * if a server offers HTTP/2.
 */
const SINGLE = { file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/, name: 'connectH2' }

/**
 * Moves each require() in a CommonJS dependency to where its module is first used. This changes only the order in which
 * modules are loaded. Fails if a file no longer contains the require() to move.
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
        throw new Error(`${path} no longer requires ${SINGLE.name}: update scripts/build/inline-requires.ts`)
      return { contents, loader: 'js' }
    })
  },
}

/** Replacements for some of Node's modules that undici loads. They make partner start faster. */
const STAND_INS: Readonly<Record<string, string>> = {
  // undici needs node:http only for a header limit, which we set explicitly, and to recognize server requests, which
  // partner never passes to it.
  'node:http': 'module.exports = {}',
  // Loads the real node:assert only when an assertion fails.
  'node:assert': "module.exports = (value, message) => { if (!value) require('node:assert')(value, message) }",
}

/**
 * Builds undici without node:http and node:assert, which it hardly uses. This saves 20 million CPU instructions per
 * start.
 */
export const lighterUndici: Plugin = {
  name: 'lighter-undici',
  setup(build) {
    build.onResolve({ filter: /^node:(?:http|assert)$/ }, ({ path, importer }) =>
      /[\\/]undici[\\/]lib[\\/]/.test(importer) ? { path, namespace: 'stand-in' } : null,
    )
    build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] ?? '' }))
  },
}

/**
 * Builds the MCP SDK without its JSON Schema validator, which is half of its code. The SDK uses the validator only for
 * features that partner does not use. Partner validates the arguments of tools itself.
 */
export const withoutAjv: Plugin = {
  name: 'without-ajv',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'no-ajv',
    }))
    build.onLoad({ filter: /.*/, namespace: 'no-ajv' }, () => ({
      contents: `export { default as process } from 'node:process'
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('the bundle contains no JSON Schema validator') }
        }`,
    }))
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
