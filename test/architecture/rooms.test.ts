import { globSync, readFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/partner.ts'

/**
 * The top-level folders ("rooms") of src/, from the lowest to the highest, each with its purpose and the lower rooms
 * that it may import. No room may import a higher one, so the core works without a terminal, and the client works
 * without the sandbox.
 */
const ROOMS: Readonly<Record<string, { readonly is: string; readonly uses: string }>> = {
  base: { is: 'errors, JSON, times, durable files, secrets, HTML', uses: '' },
  postgres: { is: 'connections to PostgreSQL', uses: 'base' },
  signing: { is: 'HMAC signatures, without I/O', uses: 'base' },
  contract: { is: 'the endpoints of the service and the shapes of its responses, as data', uses: 'base' },
  http: { is: 'the Transport that client and server share', uses: 'base' },
  'http/client': { is: 'HTTP client: undici, and the layers around it', uses: 'base signing contract http' },
  'http/server': { is: 'HTTP server: node:http', uses: 'base http' },
  client: {
    is: 'profiles and sessions with a service, without commands, screens and prompts',
    uses: 'base postgres contract http http/client',
  },
  money: { is: 'writes whose outcome may be unknown', uses: 'base postgres contract http/client client' },
  sync: { is: 'local copies of the records of the service', uses: 'base postgres contract http/client client' },
  webhooks: {
    is: 'subscriptions, and received, resent and missed deliveries',
    uses: 'base postgres contract http http/client http/server client sync',
  },
  monitor: {
    is: 'checks of unattended jobs, their state, and the alerts that report changes',
    uses: 'base contract http http/client client sync webhooks',
  },
  sandbox: { is: 'the service itself', uses: 'base signing contract http http/server' },
  studio: {
    is: 'tools on top of the sandbox: its page, the rehearsed day, certify',
    uses: 'base signing contract http http/client http/server sandbox',
  },
  terminal: {
    is: 'oclif, flags, prompts, output, completion, and the lifecycle of a run',
    uses: 'base postgres contract http http/client client money webhooks',
  },
  features: {
    is: 'one folder per feature, with its workflow, flags and views',
    uses: 'base postgres signing contract http http/client client money sync webhooks monitor sandbox studio terminal',
  },
  mcp: {
    is: 'the tools that AI agents call, over MCP',
    uses: 'base contract http client money terminal features',
  },
  commands: {
    is: 'the name, arguments and flags of each command, which calls a feature and shows the result',
    uses: 'base postgres signing contract http client money sync webhooks monitor sandbox studio terminal features mcp',
  },
}

/** Packages that only one room may import. Other rooms call that room's functions instead. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  '@oclif/core': /^src\/(terminal|features|commands)\//,
  '@modelcontextprotocol/server': /^src\/mcp\/server\//,
  undici: /^src\/http\/client\//,
  zod: /^src\/(contract|terminal\/input|sandbox\/app)\//,
  conf: /^src\/client\/profiles\//,
  inquirer: /^src\/terminal\/input\//,
  'cli-table3': /^src\/terminal\/render\//,
  'cli-progress': /^src\/terminal\/output\//,
  pg: /^src\/postgres\//,
  fflate: /^src\/features\/support\/bundle\//,
  yaml: /^src\/(base\/json\/(yaml-documents\.ts|located\/)|webhooks\/subscriptions\/file\/)/,
}

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
  test(`src/${room} (${is}) imports only the top-level folders that it may use`, () => {
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

test('every file in src/ is in a listed folder', () =>
  expect(FILES.filter((file) => !(roomOf(file) in ROOMS))).toEqual([]))

test('a top-level folder of src/ may use only folders listed before it', () => {
  const order = Object.keys(ROOMS)
  const upwards = Object.entries(ROOMS).flatMap(([room, { uses }]) =>
    uses
      .split(' ')
      .filter((used) => used !== '' && !(order.indexOf(used) >= 0 && order.indexOf(used) < order.indexOf(room)))
      .map((used) => `${room} -> ${used}`),
  )
  expect(upwards).toEqual([])
})

test.each(Object.entries(PACKAGES))('only one top-level folder of src/ imports the %s package', (name, room) => {
  const elsewhere = FILES.filter(
    (file) =>
      !room.test(file) && importsOf(file).some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  )
  expect(elsewhere).toEqual([])
})

test('only the studio, the sandbox and the commands for them import src/sandbox or src/studio', () => {
  const imports = (file: string) =>
    importsOf(file).some((specifier) => /^src\/(?:sandbox|studio)\//.test(inTree(file, specifier) ?? ''))
  const isOfIt = /^src\/(?:sandbox\/|studio\/|features\/sandbox\/|commands\/(?:sandbox\/|certify(?:\/|\.ts$)))/
  expect(FILES.filter((file) => imports(file) && !isOfIt.test(file))).toEqual([])
})

/**
 * Returns the feature that a file belongs to, or `null` if it belongs to none. Files in `surface` belong to none,
 * because they describe the output of all features.
 */
function featureOf(file: string): string | null {
  const [, room, feature = ''] = file.split('/')
  return room === 'features' && feature !== 'surface' ? feature : null
}

test('a feature does not import any other feature except features/shared', () => {
  const across = FILES.filter((file) => featureOf(file) !== null).flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const target = inTree(file, specifier) ?? ''
      const isElsewhere = target.startsWith('src/features/') && featureOf(target) !== featureOf(file)
      return isElsewhere && featureOf(target) !== 'shared' ? [`${file} imports ${target}`] : []
    }),
  )
  expect(across).toEqual([])
})

test('commands do not import each other', () => {
  const commands = FILES.filter((file) => file.startsWith('src/commands/'))
  const imports = (file: string) =>
    importsOf(file).filter((specifier) => inTree(file, specifier)?.startsWith('src/commands/'))
  expect(commands.filter((file) => imports(file).length > 0)).toEqual([])
})

test('no file name in src/ starts with an underscore', () => {
  expect(FILES.filter((file) => /\/_[^/]*$/.test(file))).toEqual([])
})

test('only rename-remove.ts renames and removes files, because it retries operations that Windows temporarily refuses', () => {
  const calls = /\b(?:rename|rm|unlink)Sync\(|\b(?:rename|rm|unlink)\b[^{}]*\} from 'node:fs\/promises'/
  const wrong = FILES.filter((file) => calls.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(wrong).toEqual(['src/base/storage/rename-remove.ts'])
})

test(`no folder in src/ has more than ${MOST_FILES} files`, () => {
  const count = new Map<string, number>()
  for (const file of FILES) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    count.set(folder, (count.get(folder) ?? 0) + 1)
  }
  expect([...count].filter(([, files]) => files > MOST_FILES)).toEqual([])
})

test(`no file in src/ has more than ${MOST_LINES} lines`, () => {
  expect(FILES.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 > MOST_LINES)).toEqual([])
})

test('the modules in src/ have no circular imports', () => {
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
