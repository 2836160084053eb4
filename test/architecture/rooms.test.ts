import { globSync, readFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/partner.ts'

/**
 * The rooms of src/ from the ground up: what each is, and which of those below it may import. Nothing imports upwards, so the
 * core stands without a terminal and the client without the sandbox.
 */
const ROOMS: Readonly<Record<string, { readonly is: string; readonly uses: string }>> = {
  failure: { is: 'the one error type, exit codes, interruption', uses: '' },
  stopwatch: { is: 'how long something takes', uses: '' },
  json: { is: 'JSON with its digits kept', uses: 'failure' },
  time: { is: 'times as people type them, and zones', uses: 'failure' },
  signing: { is: 'HMAC, pure', uses: 'failure json' },
  html: { is: 'HTML of which all that is put in is escaped', uses: '' },
  redaction: { is: 'the one list of secrets and the one way to hide them', uses: 'failure json' },
  storage: { is: 'durable files, locks, SQLite, whatever they hold', uses: 'failure stopwatch' },
  completion: { is: 'what a Tab is answered with, before the tool is loaded', uses: 'failure json storage' },
  contract: { is: 'what the service is, as data', uses: 'failure json' },
  shapes: { is: 'what answers look like, without what they say', uses: 'failure json contract' },
  http: { is: 'the Transport that both sides of HTTP are', uses: 'failure' },
  'http/client': {
    is: 'sends: undici, and the layers around it',
    uses: 'failure stopwatch redaction contract signing http',
  },
  'http/server': { is: 'answers: node:http', uses: 'failure http' },
  profiles: { is: 'addresses and keys; it sends nothing', uses: 'failure json redaction storage shapes http' },
  client: {
    is: 'a session with a service; it knows no command, screen or prompt',
    uses: 'failure stopwatch json time redaction storage contract shapes http http/client profiles',
  },
  money: {
    is: 'writes whose outcome may be unknown',
    uses: 'failure stopwatch json time storage contract http/client client',
  },
  sync: {
    is: 'copies of what the service has, kept up to date',
    uses: 'failure stopwatch json time storage contract http/client client',
  },
  bulk: {
    is: 'many writes from one file, with a journal',
    uses: 'failure stopwatch json time storage contract http/client client money',
  },
  subscriptions: {
    is: 'files of webhook subscriptions, and what makes those that stand the same',
    uses: 'failure json storage contract profiles client',
  },
  events: {
    is: 'what a delivery looks like, and the journal of those that came',
    uses: 'failure json storage contract',
  },
  listener: {
    is: 'receives deliveries, sends them again, tries receivers, finds what was lost',
    uses: 'failure stopwatch json time redaction storage contract http http/client http/server sync events',
  },
  support: {
    is: 'from "it does not work" to the reason: doctor, drift, timeline, bundle',
    uses: 'failure stopwatch json time signing redaction storage contract shapes http http/client profiles client money sync subscriptions events listener',
  },
  update: {
    is: 'whether a newer release is out, asked for and noted',
    uses: 'json storage http http/client',
  },
  books: {
    is: 'whether the books agree: reconcile, table names, statement, night report',
    uses: 'failure json time html storage contract client money sync bulk',
  },
  sandbox: {
    is: 'the service itself; deleting it leaves a client that compiles',
    uses: 'failure stopwatch json time signing html redaction storage contract http http/server',
  },
  render: { is: 'any value becomes text', uses: 'failure json' },
  views: { is: 'which columns and fields a person sees', uses: 'failure stopwatch json time contract render' },
  cli: {
    is: 'oclif and the terminal, nothing else',
    uses: 'failure stopwatch json time signing redaction storage completion contract shapes http http/client profiles client money sync bulk subscriptions events listener support update books render views',
  },
  commands: {
    is: 'what one command is called and takes; it calls one thing and shows the answer',
    uses: 'failure stopwatch json time signing storage completion contract shapes http profiles client money sync bulk subscriptions events listener support update html books sandbox render views cli',
  },
}

/** Packages that one room alone may load; the others take what they need from it. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  '@oclif/core': /^src\/(cli|commands)\//,
  undici: /^src\/http\/client\//,
  zod: /^src\/(contract|cli\/input|sandbox\/app)\//,
  conf: /^src\/profiles\//,
  inquirer: /^src\/cli\/input\//,
  'cli-table3': /^src\/render\//,
  'cli-progress': /^src\/cli\/output\//,
  pg: /^src\/sync\/postgres\//,
  fflate: /^src\/support\/bundle\//,
  yaml: /^src\/(json\/yaml-documents\.ts|subscriptions\/file\/|sandbox\/certify\/own\/)/,
}

/** Beside its folders, a folder holds about a dozen files; a file is read in one sitting. */
const MOST_FILES = 13
const MOST_LINES = 250

const FILES = globSync('src/**/*.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))

function roomOf(file: string): string {
  const [, first = '', second = ''] = file.split('/')
  const inner = `${first}/${second}`
  return inner in ROOMS ? inner : first
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier)
}

function inTree(file: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  return relative('.', normalize(join(file, '..', specifier))).replaceAll('\\', '/')
}

describe.each(Object.entries(ROOMS))('src/%s', (room, { is, uses }) => {
  test(`(${is}) imports nothing from above it`, () => {
    const allowed = new Set([room, ...uses.split(' ')])
    const wrong = FILES.filter((file) => roomOf(file) === room).flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = inTree(file, specifier)
        return target === null || allowed.has(roomOf(target)) ? [] : [`${file} imports ${target}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

test('every file of src/ is in a room', () => {
  expect(FILES.filter((file) => !(roomOf(file) in ROOMS))).toEqual([])
})

test('a room may use only rooms that stand below it', () => {
  const order = Object.keys(ROOMS)
  const upwards = Object.entries(ROOMS).flatMap(([room, { uses }]) =>
    uses
      .split(' ')
      .filter((used) => used !== '' && !(order.indexOf(used) >= 0 && order.indexOf(used) < order.indexOf(room)))
      .map((used) => `${room} -> ${used}`),
  )
  expect(upwards).toEqual([])
})

test.each(Object.entries(PACKAGES))('%s is loaded in one room', (name, room) => {
  const elsewhere = FILES.filter(
    (file) =>
      !room.test(file) && importsOf(file).some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  )
  expect(elsewhere).toEqual([])
})

test('only what is of the sandbox imports it', () => {
  const importers = FILES.filter(
    (file) =>
      roomOf(file) !== 'sandbox' &&
      importsOf(file).some((specifier) => inTree(file, specifier)?.startsWith('src/sandbox/')),
  )
  expect(importers.filter((file) => !/^src\/commands\/(?:sandbox\/|certify(?:\/|\.ts$))/.test(file))).toEqual([])
})

test('no folder holds more than about a dozen files', () => {
  const count = new Map<string, number>()
  for (const file of FILES) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    count.set(folder, (count.get(folder) ?? 0) + 1)
  }
  expect([...count].filter(([, files]) => files > MOST_FILES)).toEqual([])
})

test('no file is longer than can be read in one sitting', () => {
  const long = FILES.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 > MOST_LINES)
  expect(long).toEqual([])
})

test('no imports go round in a circle', () => {
  const edges = new Map(
    FILES.map((file) => [file, importsOf(file).flatMap((specifier) => inTree(file, specifier) ?? [])]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    else if (!done.has(file)) {
      for (const next of edges.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
  }
  for (const file of FILES) visit(file, [])
  expect(circles).toEqual([])
})
