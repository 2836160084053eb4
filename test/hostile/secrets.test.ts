import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTurn } from '../money/chance.ts'
import { freshDirectory, NODE, PARTNER, type Run, runPartner, runProgram } from '../support/partner.ts'
import {
  type Act,
  answers,
  type RawRequest,
  type RawServer,
  redirectsTo,
  resets,
  startRawServer,
} from '../support/raw-server.ts'
import { words } from '../support/words.ts'
import { everyCommand, type SomeCommand } from './every-command.ts'

const MARKS = {
  key: 'MARKED-api-key-9d41c7',
  signing: 'MARKED-signing-secret-22fa',
  hookKey: 'MARKED-security-key-81b0',
  hookToken: 'MARKED-security-token-5c3e',
}

/** Everything in which a secret may hide: as it is, and as encodings of it have it. */
const FORMS = Object.values(MARKS).flatMap((mark) => {
  const bytes = Buffer.from(mark)
  return [mark, bytes.toString('base64').slice(0, -4), bytes.toString('hex')]
})

interface Place {
  readonly root: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A home with one profile that stores the secrets, and is the current one. */
async function markedHome(server: RawServer): Promise<Place> {
  const root = freshDirectory()
  const cwd = join(root, 'cwd')
  mkdirSync(cwd)
  const env = {
    PARTNER_CONFIG_DIR: join(root, 'config'),
    PARTNER_DATA_DIR: join(root, 'data'),
    PARTNER_CACHE_DIR: join(root, 'cache'),
    HOOK_KEY: MARKS.hookKey,
    HOOK_TOKEN: MARKS.hookToken,
  }
  const add = words(
    `profiles add marked --base-url ${server.baseUrl} --partner-name pos --signature-header X-Sign --location-id loc-1 --api-key-stdin`,
  )
  for (const [args, input] of [
    [add, MARKS.key],
    [['profiles', 'set', 'marked', '--signing-secret-stdin'], MARKS.signing],
    [['profiles', 'use', 'marked'], ''],
  ] as const)
    expect(await runPartner(args, { env, input, cwd })).toMatchObject({ code: 0 })
  return { root, cwd, env }
}

function runIn({ env, cwd }: Place, { args, isEndless }: SomeCommand, more: readonly string[]): Promise<Run> {
  const words = [...args.slice(0, ownEnd(args)), ...more, ...args.slice(ownEnd(args))]
  const options = { env: { ...env, DEBUG: '*', PARTNER_DEBUG: '1' }, cwd }
  if (!isEndless) return runPartner(words, options)
  return runProgram('timeout', ['--signal=TERM', '1', NODE, PARTNER, ...words, '--port', '0'], options)
}

/** Where words behind `--` begin. */
function ownEnd(args: readonly string[]): number {
  const dashes = args.indexOf('--')
  return dashes < 0 ? args.length : dashes
}

function expectNoMark(text: string, where: string): void {
  for (const form of FORMS) if (text.includes(form)) expect.fail(`${form} stands in ${where}:\n${text.slice(0, 2000)}`)
}

/** Looks into every file but the profile store. */
function expectNoMarkIn({ root }: Place): number {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const looked = files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/config\/[^/]*\.json$/.test(path))
  for (const path of looked) expectNoMark(readFileSync(path, 'latin1'), path)
  return looked.length
}

const CARD = { cardNumber: 'GIFT1-00000100-AAAA', remainingAmount: 100, status: 'Active', isSuccess: true }
const ANYTHING = { ...CARD, bookings: [], items: [], from: 0, to: 0, length: 0 }
const works = ({ target }: RawRequest): Act =>
  answers(200, /statuses|schedule|tables|\/Webhooks$/.test(target) ? [] : ANYTHING)

/** Says back all that it was sent, as a server does that was made to find mistakes. */
const echoes =
  (status: number) =>
  (request: RawRequest): Act => {
    const said = `You sent ${JSON.stringify(request.headers)} and ${request.body}`
    const body = { message: said, title: said, detail: said, errors: { all: [said] } }
    return answers(status, body, { 'x-debug': said.replaceAll('"', '') })
  }

const ECHO = echoes(400)

/** Commands whose `--har` is a file to read. */
const READS_HAR = new Set(['drift', 'support bundle'])

const SERVICES: Readonly<Record<string, (request: RawRequest) => Act>> = {
  'that works': works,
  'that says back what it was sent with a 400': ECHO,
  'that says back what it was sent with a 500': echoes(500),
  'that redirects to an address with the key in it': ({ headers }) =>
    redirectsTo(`https://elsewhere.example/${headers['x-api-key'] ?? headers['x-sign']}`),
  'that breaks off': () => resets,
}

test.each(Object.entries(SERVICES))(
  'no command shows a secret or leaves one in a file, with a service %s',
  { timeout: 240_000 },
  async (_name, act) => {
    const server = await startRawServer(act)
    const place = await markedHome(server)
    // Every command, and those that talk to the service with further ones.
    const isPlain = act === works || act === ECHO
    const commands = everyCommand().filter(({ flags }) => isPlain || flags.has('har'))
    await inTurn([...commands.entries()], 2, async ([index, command]) => {
      const { id, flags } = command
      const har = ['--har', join(place.cwd, `${id.replaceAll(' ', '-')}.har`)]
      const more = [
        ...(flags.has('verbose') ? ['-v'] : []),
        ...(flags.has('har') && !READS_HAR.has(id) ? har : []),
        ...(flags.has('retries') ? ['--retries', '0'] : []),
      ]
      const run = await runIn(place, command, index % 2 === 0 ? more : [...more, '--json'])
      expectNoMark(run.stdout, `stdout of ${id}`)
      expectNoMark(run.stderr, `stderr of ${id}`)
    })
    // They got as far as to send the secrets, and what they left behind was looked at.
    expect(server.requests.some(({ headers }) => headers['x-api-key'] === MARKS.key)).toBe(true)
    expect(server.requests.some(({ headers }) => headers['x-sign'] !== undefined)).toBe(true)
    expect(server.requests.some(({ body }) => body.includes(MARKS.hookKey))).toBe(true)
    expect(expectNoMarkIn(place)).toBeGreaterThan(10)
  },
)

test('nor by --dry-run, as it is, as JSON and as a curl command', { timeout: 240_000 }, async () => {
  const server = await startRawServer(works)
  const place = await markedHome(server)
  const commands = everyCommand().filter(({ flags }) => flags.has('dry-run'))
  await inTurn(commands, 2, async (command) => {
    for (const more of [[], ['--json'], ['--curl']]) {
      const run = await runIn(place, command, ['--dry-run', ...more])
      expectNoMark(run.stdout + run.stderr, `${command.id} --dry-run ${more.join('')}`)
    }
  })
  expect(expectNoMarkIn(place)).toBeGreaterThan(0)
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a command that prints a key gets none of the others, and neither does what runs in a sandbox', async () => {
  const server = await startRawServer(works)
  const place = await markedHome(server)
  const env = { ...place.env, PARTNER_API_KEY: MARKS.key, PARTNER_SIGNING_SECRET: MARKS.signing }
  const seen = join(place.cwd, 'seen')
  const options = { env, cwd: place.cwd }
  const add = words(`profiles add asking --base-url ${server.baseUrl} --api-key`)
  await runPartner([...add, `command:env > ${seen}; echo printed-key`], options)
  const { PARTNER_API_KEY: _none, ...withoutKey } = env
  const ask = words('bookings statuses --profile asking --json')
  expect(await runPartner(ask, { ...options, env: withoutKey })).toMatchObject({ code: 0 })
  expect(server.requests.at(-1)?.headers['x-api-key']).toBe('printed-key')
  expect(readFileSync(seen, 'utf8')).toContain('PATH=')
  expect(readFileSync(seen, 'utf8')).not.toMatch(/MARKED-(api|signing)/)
  const inside = await runPartner(['sandbox', 'exec', '--', 'env'], options)
  expect(inside.stdout).toMatch(/^PARTNER_API_KEY=/m)
  expect(inside.stdout).not.toMatch(/MARKED-(api|signing)/)
})
