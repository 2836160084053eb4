import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIST, freshInstallation } from '../support/distribution.ts'
import { type Environment, freshDirectory, NODE, type Run, runProgram } from '../support/partner.ts'
import { answers, type RawServer, startRawServer } from '../support/raw-server.ts'

// These tests check that partner never passes a wrong code cache to V8. V8 does not verify the cache: if it is damaged
// or belongs to another bundle, V8 crashes or runs the wrong code.

/** A copy of partner whose files a test may damage, connected to a test service. */
interface Installed {
  readonly dist: string
  readonly server: RawServer
  readonly shipped: string
  /** The user's code cache directory, where runs store new code caches. */
  readonly kept: string
  own(): string[]
  run(env?: Environment): Promise<Run>
  /** Whether the last run loaded each of its bundles from a code cache. */
  wasCached(): boolean
}

const STATUSES = ['bookings', 'statuses', '--json']

const KEY = `${process.versions.v8}-${process.platform}-${process.arch}`
const SHIPPED = join('code-cache', KEY, 'partner-read.bin')

/** An installation without code caches, shared by all tests. Each test adds the code cache that it needs. */
const shared = mkdtempSync(join(tmpdir(), 'partner-installed-'))
beforeAll(() => {
  for (const part of ['bin', 'dist']) cpSync(join(DIST, '..', part), join(shared, part), { recursive: true })
  rmSync(join(shared, 'dist', 'code-cache'), { recursive: true })
})
afterAll(() => rmSync(shared, { recursive: true }))

/** Installs partner with its shipped code cache. Tests that change any other file need their own installation. */
async function install(place = shared): Promise<Installed> {
  const installed = await installBare(place)
  mkdirSync(dirname(installed.shipped), { recursive: true })
  copyFileSync(join(DIST, SHIPPED), installed.shipped)
  return installed
}

async function installBare(place = shared): Promise<Installed> {
  const [dist, own] = [join(place, 'dist'), freshDirectory()]
  rmSync(join(dist, 'code-cache'), { recursive: true, force: true })
  const server = await startRawServer([answers(200, [{ code: 'CONFIRMED' }])])
  const cache = join(own, 'cache')
  const report = join(own, 'loaded.json')
  const hook = join(import.meta.dirname, '..', 'support', 'loaded-modules.cjs')
  return {
    dist,
    server,
    shipped: join(dist, SHIPPED),
    kept: join(cache, 'code'),
    own: () => globSync(join(cache, 'code', '*')),
    run: (more = {}) => {
      const env = { ...server.env, PARTNER_CACHE_DIR: cache, LOADED_MODULES: report, ...more }
      return runProgram(NODE, ['--require', hook, join(place, 'bin', 'run.js'), ...STATUSES], { env, cwd: place })
    },
    wasCached: () => JSON.parse(readFileSync(report, 'utf8')).rejectedCaches.length === 0,
  }
}

let kept: readonly (readonly [name: string, bytes: Buffer])[] | undefined

/** Installs partner with a code cache that a run has stored. The first call performs the run. */
async function installKept(): Promise<Installed> {
  const installed = await installBare()
  if (kept === undefined) {
    expect(await installed.run()).toEqual(WORKED)
    kept = installed.own().map((file) => [basename(file), readFileSync(file)])
  } else {
    mkdirSync(installed.kept, { recursive: true, mode: 0o700 })
    for (const [name, bytes] of kept) writeFileSync(join(installed.kept, name), bytes, { mode: 0o600 })
  }
  return installed
}

const WORKED = { code: 0, stdout: '[\n{"code":"CONFIRMED"}\n]\n', stderr: '' }

/** Flips one bit in a file. The position is a number between 0 (the start of the file) and 1 (the end). */
function flipBit(file: string, share: number): void {
  const bytes = readFileSync(file)
  const at = Math.min(Math.floor(bytes.length * share), bytes.length - 1)
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  writeFileSync(file, bytes)
}

const DAMAGES: readonly (readonly [name: string, damage: (file: string) => void])[] = [
  ...[0, 0.00005, 0.01, 0.2, 0.4, 0.6, 0.8, 0.99, 0.99998, 1].map(
    (share) => [`a bit is flipped at ${share * 100}%`, (file: string) => flipBit(file, share)] as const,
  ),
  [
    'its second half is missing',
    (file) => writeFileSync(file, readFileSync(file).subarray(0, statSync(file).size / 2)),
  ],
  ['its last byte is missing', (file) => writeFileSync(file, readFileSync(file).subarray(0, -1))],
  ['it is empty', (file) => writeFileSync(file, '')],
  ['it is all zeros', (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
  ['it is a directory', (file) => replaced(file, () => mkdirSync(file))],
  ['it is a directory with a file', (file) => replaced(file, () => mkdirSync(join(file, 'x'), { recursive: true }))],
  ['it is a named pipe', (file) => replaced(file, () => execFileSync('mkfifo', [file]))],
]

function replaced(file: string, make: () => unknown): void {
  rmSync(file)
  make()
}

describe.each(DAMAGES)('a damaged code cache (%s)', (_name, damage) => {
  test('partner leaves a damaged code cache in the installation unchanged and stores a new one for the user', async () => {
    const installed = await install()
    damage(installed.shipped)
    expect(await installed.run()).toEqual(WORKED)
    expect(await installed.run()).toEqual(WORKED)
    expect(installed.wasCached()).toBe(true)
  })

  test('partner replaces a damaged code cache that an earlier run stored', async () => {
    const installed = await installKept()
    const [own = ''] = installed.own()
    damage(own)
    expect(await installed.run()).toEqual(WORKED)
    expect(await installed.run()).toEqual(WORKED)
    expect(installed.wasCached()).toBe(true)
    expect(installed.own()).toEqual([own])
  })
})

/** Replaces the bundle with one of the same size and modification time that sends the key in another header. */
function replaceBundle({ dist }: Installed): void {
  const bundle = join(dist, 'partner.cjs')
  const { mtime, size } = statSync(bundle)
  const text = readFileSync(bundle, 'utf8').replaceAll('x-api-key', 'x-other-k')
  writeFileSync(bundle, text.replace(/[0-9a-f]{32}\n$/, `${'0'.repeat(32)}\n`))
  utimesSync(bundle, mtime, mtime)
  expect(statSync(bundle).size).toBe(size)
}

test.each([
  ['from the installation', install],
  ['that an earlier run stored', installBare],
] as const)('a code cache %s is not used for a new bundle of the same size and mtime', async (_name, installed) => {
  const tool = await installed(freshInstallation())
  expect(await tool.run()).toEqual(WORKED)
  expect(await tool.run()).toEqual(WORKED)
  replaceBundle(tool)
  expect(await tool.run()).toEqual(WORKED)
  const names = tool.server.requests.map(({ headers }) => Object.keys(headers).filter((name) => /^x-/.test(name)))
  expect(names).toEqual([['x-api-key'], ['x-api-key'], ['x-other-k']])
})

test('a run whose V8 options do not match the shipped code cache stores a new cache that later runs reuse', async () => {
  const installed = await install()
  const env = { NODE_OPTIONS: '--expose-gc' }
  expect(await installed.run(env)).toEqual(WORKED)
  const [own = ''] = installed.own()
  const kept = statSync(own)
  expect(await installed.run(env)).toEqual(WORKED)
  expect(statSync(own).ino).toBe(kept.ino)
})

test("a run that changes V8's options does not store its code cache, because other runs would reject it", async () => {
  const installed = await installBare()
  const changed = join(freshDirectory(), 'changed.cjs')
  writeFileSync(changed, "setImmediate(() => require('node:v8').setFlagsFromString('--semi-space-growth-factor=1'))")
  expect(await installed.run({ NODE_OPTIONS: `--require ${changed}` })).toEqual(WORKED)
  expect(installed.own()).toEqual([])
  expect(await installed.run()).toEqual(WORKED)
  expect(await installed.run()).toEqual(WORKED)
  expect(installed.wasCached()).toBe(true)
})

test('a code cache is synced to disk before it is renamed to its final name', async () => {
  const installed = await installBare()
  const calls = join(freshDirectory(), 'calls')
  const hook = `${calls}.cjs`
  const notes = `const fs = require('node:fs')
    for (const name of ['fsyncSync', 'renameSync']) {
      const call = fs[name]
      fs[name] = (...args) => { fs.appendFileSync(${JSON.stringify(calls)}, name + '\\n'); return call(...args) }
    }`
  writeFileSync(hook, notes)
  expect(await installed.run({ NODE_OPTIONS: `--require ${hook}` })).toEqual(WORKED)
  expect(readFileSync(calls, 'utf8')).toMatch(/^fsyncSync\nrenameSync\n/)
})

test('partner leaves no files behind and prints no message if a code cache cannot be stored', async () => {
  const installed = await installBare()
  const hook = join(freshDirectory(), 'full-disk.cjs')
  const full = "() => { throw Object.assign(new Error('full'), { code: 'ENOSPC' }) }"
  writeFileSync(hook, `const fs = require('node:fs'); fs.fsyncSync = ${full}`)
  expect(await installed.run({ NODE_OPTIONS: `--require ${hook}` })).toEqual(WORKED)
  expect(installed.own()).toEqual([])
})
