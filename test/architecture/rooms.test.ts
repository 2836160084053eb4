import { globSync, readFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/partner.ts'

/**
 * The rooms of src/ from the ground up: what each is, and which of those below it may import. Nothing imports upwards, so the
 * core stands without a terminal and the client without the sandbox.
 */
const ROOMS: Readonly<Record<string, { readonly is: string; readonly uses: string }>> = {
  base: { is: 'one of each: errors, JSON, times, durable files, what is secret, HTML', uses: '' },
  signing: { is: 'HMAC, pure', uses: 'base' },
  contract: { is: 'what the service is, as data, and what its answers look like', uses: 'base' },
  http: { is: 'the Transport that both sides of HTTP are', uses: 'base' },
  'http/client': { is: 'sends: undici, and the layers around it', uses: 'base signing contract http' },
  'http/server': { is: 'answers: node:http', uses: 'base http' },
  client: {
    is: 'profiles, and a session with a service; it knows no command, screen or prompt',
    uses: 'base contract http http/client',
  },
  money: { is: 'writes whose outcome may be unknown', uses: 'base contract http/client client' },
  sync: { is: 'copies of what the service has, kept up to date', uses: 'base contract http/client client' },
  webhooks: {
    is: 'subscriptions, and deliveries: received, sent again, missed',
    uses: 'base contract http http/client http/server client sync',
  },
  sandbox: { is: 'the service itself', uses: 'base signing contract http http/server' },
  studio: {
    is: 'what is built on the sandbox: its page, the rehearsed day, certify',
    uses: 'base signing contract http http/client http/server sandbox',
  },
  terminal: {
    is: 'oclif, flags, prompts, output, completion, and the life of a run',
    uses: 'base contract http http/client client money webhooks',
  },
  features: {
    is: 'a folder a feature: its workflow, its flags, and how a person sees it',
    uses: 'base signing contract http http/client client money sync webhooks sandbox studio terminal',
  },
  commands: {
    is: 'what one command is called and takes; it calls a feature and shows the answer',
    uses: 'base signing contract http client money sync webhooks sandbox studio terminal features',
  },
}

/** Packages that only one room may load. Other rooms use that room's functions. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  '@oclif/core': /^src\/(terminal|features|commands)\//,
  undici: /^src\/http\/client\//,
  zod: /^src\/(contract|terminal\/input|sandbox\/app)\//,
  conf: /^src\/client\/profiles\//,
  inquirer: /^src\/terminal\/input\//,
  'cli-table3': /^src\/terminal\/render\//,
  'cli-progress': /^src\/terminal\/output\//,
  pg: /^src\/sync\/postgres\//,
  fflate: /^src\/features\/support\/bundle\//,
  yaml: /^src\/(base\/json\/yaml-documents\.ts|webhooks\/subscriptions\/file\/|studio\/certify\/own\/)/,
}

/** A folder has about a dozen files besides its folders, and a file can be read in one sitting. */
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

test('every file of src/ is in a room', () => expect(FILES.filter((file) => !(roomOf(file) in ROOMS))).toEqual([]))

test('a room may use only rooms below it', () => {
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

test('only the studio and the sandbox commands import src/sandbox', () => {
  const imports = (file: string) =>
    importsOf(file).some((specifier) => /^src\/(?:sandbox|studio)\//.test(inTree(file, specifier) ?? ''))
  const isOfIt = /^src\/(?:sandbox\/|studio\/|features\/sandbox\/|commands\/(?:sandbox\/|certify(?:\/|\.ts$)))/
  expect(FILES.filter((file) => imports(file) && !isOfIt.test(file))).toEqual([])
})

/** Returns the feature that a file belongs to. `null` for `surface`, which knows the output of all features, and for other files. */
function featureOf(file: string): string | null {
  const [, room, feature = ''] = file.split('/')
  return room === 'features' && feature !== 'surface' ? feature : null
}

test('a feature imports no other feature than features/shared', () => {
  const across = FILES.filter((file) => featureOf(file) !== null).flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const target = inTree(file, specifier) ?? ''
      const isElsewhere = target.startsWith('src/features/') && featureOf(target) !== featureOf(file)
      return isElsewhere && featureOf(target) !== 'shared' ? [`${file} imports ${target}`] : []
    }),
  )
  expect(across).toEqual([])
})

test('commands do not import each other, and no file name begins with an underscore', () => {
  const commands = FILES.filter((file) => file.startsWith('src/commands/'))
  const imports = (file: string) =>
    importsOf(file).filter((specifier) => inTree(file, specifier)?.startsWith('src/commands/'))
  expect(commands.filter((file) => imports(file).length > 0)).toEqual([])
  expect(FILES.filter((file) => /\/_[^/]*$/.test(file))).toEqual([])
})

test('no folder has more than about a dozen files', () => {
  const count = new Map<string, number>()
  for (const file of FILES) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    count.set(folder, (count.get(folder) ?? 0) + 1)
  }
  expect([...count].filter(([, files]) => files > MOST_FILES)).toEqual([])
})

test('no file is longer than can be read in one sitting', () => {
  expect(FILES.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 > MOST_LINES)).toEqual([])
})

test('src has no circular imports', () => {
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
