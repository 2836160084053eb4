import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { sealBundle } from '../../scripts/build/seal-bundle.ts'
import { DIST, freshInstallation } from '../support/distribution.ts'
import { OLD_NODE } from '../support/old-node.ts'
import { freshDirectory, freshHome, NODE, runProgram } from '../support/partner.ts'
import { expectRefusal } from '../support/refusal.ts'
import { words } from '../support/words.ts'

test('the build creates a launcher, one main bundle, and separate bundles for eight rarely needed packages', () => {
  const scripts = (directory: string) =>
    readdirSync(directory)
      .filter((file) => /\.[cm]?js$/.test(file))
      .sort()
  expect(scripts(DIST)).toEqual(['launch.cjs', 'partner.cjs', 'run.cjs'])
  const vendored = words('cli-progress conf fflate inquirer mcp pg yaml zod').map((name) => `${name}.cjs`)
  expect(scripts(join(DIST, 'vendor'))).toEqual(vendored)
})

test('the bundles contain only ASCII characters, because the launcher reads them as latin1', () => {
  const files = ['partner.cjs', ...readdirSync(join(DIST, 'vendor')).map((file) => join('vendor', file))]
  expect(files.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(DIST, file), 'utf8')))).toEqual([])
})

test('the build escapes control characters in a regular expression and rejects non-ASCII letters', async () => {
  const built = async (code: string) => {
    const { code: text } = await transform(code, { minify: true })
    return () => sealBundle(text, 'bundle.cjs')
  }
  expect(await built('x.replace(/é/, "é")')).toThrow('bundle.cjs has "é" in a regular expression')
  const sealed = (await built('x.replace(/[\u001b\u009b]+/, "é")'))()
  expect(sealed).toMatch(/\{x\.replace\(\/\[\\x1b\\x9b\]\+\/,"\\xE9"\);\n\}\)\/\/[0-9a-f]{32}\n$/)
})

test("the main bundle contains no native import(), which would start Node's ESM loader and print a warning", () =>
  expect(readFileSync(join(DIST, 'partner.cjs'), 'utf8')).not.toMatch(/(?<![.\w$])import\((?!\))/))

test('every module that a bundle requires is built into Node or ships with the package', () => {
  for (const file of ['partner.cjs', ...words('conf inquirer mcp pg yaml zod').map((name) => `vendor/${name}.cjs`)]) {
    const required = [...readFileSync(join(DIST, file), 'utf8').matchAll(/(?<![.\w$])require\("([^"]+)"\)/g)].map(
      ([, id]) => id ?? '',
    )
    // oclif requires typescript, ts-node or tsx only when it runs from source. ajv requires its own modules only in
    // code that it generates.
    const MAY = /^\.\/vendor\/[\w-]+\.cjs$|^(typescript|ts-node|tsx)$|^ajv(-formats)?\/dist\//
    expect([...new Set(required.filter((id) => !isBuiltin(id) && !MAY.test(id)))], file).toEqual([])
  }
})

test('partner runs with only the files that the package ships', async () => {
  const place = freshInstallation()
  const run = (...args: string[]) =>
    runProgram(NODE, [join(place, 'bin', 'run.js'), ...args], { env: freshHome(), cwd: place })
  expect(await run('--version')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('bookings', 'list', '--from', 'today', '--profile', 'sandbox', '-o', 'ndjson')).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await run('profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:K')).toMatchObject({
    code: 0,
  })
  expect(await run('reservations', 'create', '--profile', 'sandbox')).toMatchObject({ code: 2 })
})

test('even an old version of Node can parse bin/run.js', async () => {
  const source = readFileSync(join(DIST, '..', 'bin', 'run.js'), 'utf8')
  const [old, present] = await Promise.all(['es2015', 'esnext'].map((target) => transform(source, { target })))
  // esbuild rewrites exactly the syntax that an old engine cannot parse, so there must be nothing to rewrite.
  expect(old?.code).toBe(present?.code)
})

test.each(['launch.cjs', 'run.cjs', 'completion/answer.cjs'])('Node 14.18 can parse %s', async (file) => {
  const source = readFileSync(join(DIST, file), 'utf8')
  const [old, present] = await Promise.all(['node14.18', 'esnext'].map((target) => transform(source, { target })))
  expect(old?.code).toBe(present?.code)
  expect(source).not.toMatch(/(?<![.\w$])import\(/)
})

test.runIf(OLD_NODE !== null)('completion works when an old Node runs it directly', async () => {
  const run = await runProgram(OLD_NODE ?? '', [
    join(DIST, '..', 'bin', 'run.js'),
    '__complete',
    'bash',
    'partner boo',
    '',
  ])
  expect(run).toEqual({ code: 0, stdout: '=bookings\n', stderr: '' })
})

test('completion prints nothing if its data file is truncated', async () => {
  const place = freshInstallation()
  truncateSync(join(place, 'dist', 'completion', 'table.json'), 500)
  const run = await runProgram(NODE, [join(place, 'bin', 'run.js'), '__complete', 'bash', 'partner boo', ''])
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.each([
  ['partner.cjs', 500_000],
  ['launch.cjs', 1000],
  ['run.cjs', 5000],
])('partner prints a one-line error if %s is truncated', async (file, size) => {
  const place = freshInstallation()
  truncateSync(join(place, 'dist', file), size)
  const run = await runProgram(NODE, [join(place, 'bin', 'run.js'), 'profiles', 'list'], {
    env: freshHome(),
    cwd: place,
  })
  expectRefusal(run, { code: 1, says: 'error: partner is damaged', next: 'install it again' })
})

test('partner prints a one-line error if it has not been built yet', async () => {
  const place = freshDirectory()
  cpSync(join(DIST, '..', 'bin'), join(place, 'bin'), { recursive: true })
  const run = await runProgram(NODE, [join(place, 'bin', 'run.js'), '--version'], { cwd: place })
  expectRefusal(run, { code: 1, says: 'error: partner is not built yet', next: 'npm run build' })
})

test.runIf(OLD_NODE !== null)('partner prints a one-line error if the newer Node cannot be run either', async () => {
  const place = freshInstallation()
  mkdirSync(join(place, 'node_modules', '.bin'), { recursive: true })
  writeFileSync(join(place, 'node_modules', '.bin', 'node'), '', { mode: 0o600 })
  const run = await runProgram(OLD_NODE ?? '', [join(place, 'bin', 'run.js'), 'profiles', 'list'], { cwd: place })
  expectRefusal(run, { code: 1, says: /error: .*node cannot be run \(EACCES\)/, next: 'npm ci' })
})
