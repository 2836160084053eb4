import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { writeOpenApi } from '../openapi/document.ts'
import { bundledPackages } from '../package/bundled.ts'
import { LICENCES_FILE, licencesText } from '../package/licences.ts'
import { completionTable } from './completion-table.ts'
import { bundledFile } from './freshness.ts'
import { writeHelpPages } from './help-pages.ts'
import { inlineRequires, lighterUndici, withoutAjv } from './inline-requires.ts'
import { writeManPages } from './man/pages.ts'
import { writeReference } from './reference.ts'
import { sealBundle } from './seal-bundle.ts'
import { writeSurface } from './surface/surface.ts'
import { writeTools } from './surface/tools.ts'

// Builds dist/: the launcher, the bundles and their licences, the help pages, the manual pages, the completion table,
// the sandbox page's assets, a list of all commands, the tools for agents, and V8's code caches. Also writes the
// committed generated files: the oclif manifest, docs/commands.md, docs/openapi.json and docs/schemas.

const root = join(import.meta.dirname, '..', '..')
const finished = join(root, 'dist')
/**
 * The directory that the build writes to. It is moved into place at the end, so that a running command or test never
 * sees a half-finished build.
 */
const dist = join(root, '.build', `dist-${process.pid}`)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** All commands, each with its ID and its source file. */
const commands = readdirSync(join(root, 'src', 'commands'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({
    id: file.slice(0, -'.ts'.length).split(sep).join(' '),
    file: `./src/commands/${file.split(sep).join('/')}`,
  }))
  .sort((a, b) => (a.id < b.id ? -1 : 1))

/** Whether the source tree contains the sandbox. Without it, everything works except the `sandbox` profile. */
const sandboxed = existsSync(join(root, 'src', 'features', 'sandbox', 'profile.ts'))

/**
 * Packages that few commands need. Each package is bundled into its own file, so that other commands do not load it.
 */
const VENDORED: Readonly<Record<string, string>> = {
  'cli-progress': "module.exports = require('cli-progress')",
  // Callers use the default import. In Node, that is module.exports of the bundle.
  conf: "module.exports = require('conf').default",
  fflate: "export { zipSync } from 'fflate'",
  inquirer: "module.exports = require('inquirer').default",
  // This bundle includes the few parts of zod that it uses, instead of loading the much larger zod bundle.
  mcp: `export { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse, parseJSONRPCMessage, ProtocolError,
      ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
    export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'`,
  // The bundle needs only the PostgreSQL client, not the connection pool or the native bindings.
  pg: "module.exports = { Client: require('pg/lib/client') }",
  yaml: "module.exports = require('yaml')",
  zod: "module.exports = require('zod')",
}

/** The bundle of each vendored module. Most bundles are named after their package. */
const BUNDLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(VENDORED).map((name) => [name, name])),
  '@modelcontextprotocol/server': 'mcp',
  '@modelcontextprotocol/server/stdio': 'mcp',
}

const vendored: Plugin = {
  name: 'vendored',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(BUNDLES).join('|')})$`)
    build.onResolve({ filter }, ({ path }) => ({ path: `./vendor/${BUNDLES[path]}.cjs`, external: true }))
  },
}

const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  format: 'cjs',
  absWorkingDir: root,
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  plugins: [inlineRequires, lighterUndici, withoutAjv],
  // Compiles import() of an external file to require(), because the launcher loads the bundle as a CommonJS script.
  supported: { 'dynamic-import': false },
  // Lets a module find the files next to it, whether it runs from the source or from dist/.
  define: { 'import.meta.dirname': '__dirname' },
  legalComments: 'none',
  logLevel: 'warning',
  // oclif can load a TypeScript compiler at run time, but partner does not need one.
  external: ['typescript', 'ts-node', 'tsx'],
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')

const vendor = await Promise.all(
  Object.entries(VENDORED).map(([name, contents]) =>
    build({
      ...shared,
      metafile: true,
      stdin: { resolveDir: root, loader: 'ts', contents },
      outfile: join(dist, 'vendor', `${name}.cjs`),
    }),
  ),
)
const main = await build({
  ...shared,
  metafile: true,
  plugins: [inlineRequires, lighterUndici, vendored],
  stdin: {
    resolveDir: root,
    loader: 'ts',
    contents: `import { main } from './src/terminal/runtime/main.ts'
      ${sandboxed ? "import { sandbox } from './src/features/sandbox/profile.ts'" : 'const sandbox = null'}
      const commands = {${commands.map(({ id, file }) => `${JSON.stringify(id)}: () => import(${JSON.stringify(file)})`).join(',')}}
      const version = ${JSON.stringify(version)}
      export const run = (argv) => main(argv, commands, { version, sandbox, dist: __dirname })
      export const askForUpdate = async () => (await import('./src/terminal/update/ask.ts')).askForUpdate({ env: process.env, version, dist: __dirname })`,
  },
  outfile: join(dist, 'partner.cjs'),
})

for (const file of ['partner.cjs', ...Object.keys(VENDORED).map((name) => join('vendor', `${name}.cjs`))])
  writeFileSync(join(dist, file), sealBundle(readFileSync(join(dist, file), 'utf8'), file))

const metafiles = [main, ...vendor].map(({ metafile }) => metafile)
writeFileSync(join(dist, LICENCES_FILE), licencesText(bundledPackages(root, metafiles).packages))

// Bundles the command classes a second time, because oclif generates the manifest from them. Only oclif uses this
// bundle.
await build({
  ...shared,
  stdin: {
    resolveDir: root,
    loader: 'ts',
    contents: `${commands.map(({ file }, index) => `import c${index} from ${JSON.stringify(file)}`).join('\n')}
      export const COMMANDS = {${commands.map(({ id }, index) => `${JSON.stringify(id.replaceAll(' ', ':'))}: c${index}`).join(',')}}`,
  },
  outfile: join(root, '.build', 'commands.cjs'),
})
rmSync(join(root, '.oclif.manifest.json'), { force: true })
execFileSync(process.execPath, [join(root, 'node_modules', 'oclif', 'bin', 'run.js'), 'manifest'], {
  cwd: root,
  stdio: 'pipe',
  timeout: 120_000,
})
// The launcher and shell completion must run on old versions of Node.
await build({
  ...shared,
  target: 'node14.18',
  entryPoints: {
    launch: './src/terminal/launch/start.ts',
    run: './src/terminal/launch/run.ts',
    'completion/answer': './src/terminal/completion/answer.ts',
  },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
})
const surface = writeSurface(root, join(dist, 'commands.json'), join(root, 'docs', 'schemas'))
writeTools(root, join(dist, 'tools.json'))
writeFileSync(join(dist, 'completion', 'table.json'), completionTable(root, surface))
// The browser loads these files unchanged for the sandbox's page, so the build only copies them.
if (sandboxed) cpSync(join(root, 'src', 'studio', 'page', 'assets'), join(dist, 'assets'), { recursive: true })
await writeHelpPages(root, join(dist, 'help'), version)
await writeManPages(root, join(dist, 'man'), version)
writeReference(root, join(dist, 'help'), join(root, 'docs', 'commands.md'))
writeOpenApi([join(root, 'docs', 'openapi.json'), join(dist, 'openapi.json')])

execFileSync(process.execPath, [join(root, 'scripts', 'build', 'code-cache.cjs'), dist], {
  cwd: root,
  stdio: 'inherit',
  timeout: 120_000,
})

writeFileSync(bundledFile(root), JSON.stringify(metafiles))
rmSync(`${finished}.old`, { recursive: true, force: true })
if (existsSync(finished)) renameSync(finished, `${finished}.old`)
renameSync(dist, finished)
rmSync(`${finished}.old`, { recursive: true, force: true })

const { length } = readFileSync(join(finished, 'partner.cjs'))
process.stderr.write(`built partner ${version}: ${commands.length} commands, ${Math.round(length / 1024)} KiB\n`)
