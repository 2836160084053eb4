import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forEachConcurrently } from '../money/chance.ts'
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
import { everyCommand, type RunnableCommand } from './every-command.ts'

const SECRETS = {
  key: 'MARKED-api-key-9d41c7',
  signing: 'MARKED-signing-secret-22fa',
  hookKey: 'MARKED-security-key-81b0',
  hookToken: 'MARKED-security-token-5c3e',
}

/** The forms a secret may have in output: unencoded, base64 and hexadecimal. */
const SECRET_FORMS = Object.values(SECRETS).flatMap((mark) => {
  const bytes = Buffer.from(mark)
  return [mark, bytes.toString('base64').slice(0, -4), bytes.toString('hex')]
})

interface TestHome {
  readonly root: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Sets up a home with a single profile, which is the current profile and stores the secrets. */
async function homeWithSecrets(server: RawServer): Promise<TestHome> {
  const root = freshDirectory()
  const cwd = join(root, 'cwd')
  mkdirSync(cwd)
  const env = {
    PARTNER_CONFIG_DIR: join(root, 'config'),
    PARTNER_DATA_DIR: join(root, 'data'),
    PARTNER_CACHE_DIR: join(root, 'cache'),
    HOOK_KEY: SECRETS.hookKey,
    HOOK_TOKEN: SECRETS.hookToken,
  }
  const add = words(
    `profiles add marked --base-url ${server.baseUrl} --partner-name pos --signature-header X-Sign --location-id loc-1 --api-key-stdin`,
  )
  for (const [args, input] of [
    [add, SECRETS.key],
    [['profiles', 'set', 'marked', '--signing-secret-stdin'], SECRETS.signing],
    [['profiles', 'use', 'marked'], ''],
  ] as const)
    expect(await runPartner(args, { env, input, cwd })).toMatchObject({ code: 0 })
  return { root, cwd, env }
}

function runIn({ env, cwd }: TestHome, { args, isEndless }: RunnableCommand, more: readonly string[]): Promise<Run> {
  const words = [...args.slice(0, indexOfDashes(args)), ...more, ...args.slice(indexOfDashes(args))]
  const options = { env: { ...env, DEBUG: '*', PARTNER_DEBUG: '1' }, cwd }
  if (!isEndless) return runPartner(words, options)
  return runProgram('timeout', ['--signal=TERM', '1', NODE, PARTNER, ...words, '--port', '0'], options)
}

/** Returns the index of `--`, or the number of arguments if there is none. */
function indexOfDashes(args: readonly string[]): number {
  const dashes = args.indexOf('--')
  return dashes < 0 ? args.length : dashes
}

function expectNoSecret(text: string, where: string): void {
  for (const form of SECRET_FORMS)
    if (text.includes(form)) expect.fail(`${form} appears in ${where}:\n${text.slice(0, 2000)}`)
}

/** Checks all files except the profile store, which may contain secrets. Returns the number of files checked. */
function expectNoSecretInFiles({ root }: TestHome): number {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const looked = files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/config\/[^/]*\.json$/.test(path))
  for (const path of looked) expectNoSecret(readFileSync(path, 'latin1'), path)
  return looked.length
}

const CARD = { cardNumber: 'GIFT1-00000100-AAAA', remainingAmount: 100, status: 'Active', isSuccess: true }
const ANYTHING = { ...CARD, bookings: [], items: [], from: 0, to: 0, length: 0 }
const works = ({ target }: RawRequest): Act =>
  answers(200, /statuses|schedule|tables|\/Webhooks$/.test(target) ? [] : ANYTHING)

/** Echoes the whole request in the response, as a server in debug mode may do. */
const echoes =
  (status: number) =>
  (request: RawRequest): Act => {
    const said = `You sent ${JSON.stringify(request.headers)} and ${request.body}`
    const body = { message: said, title: said, detail: said, errors: { all: [said] } }
    return answers(status, body, { 'x-debug': said.replaceAll('"', '') })
  }

const ECHO = echoes(400)

/** Commands whose `--har` flag names a file to read. */
const READS_HAR = new Set(['drift', 'support bundle'])

const SERVICES: Readonly<Record<string, (request: RawRequest) => Act>> = {
  works: works,
  'repeats the request in a 400': ECHO,
  'repeats the request in a 500': echoes(500),
  'redirects to an address that contains the key': ({ headers }) =>
    redirectsTo(`https://elsewhere.example/${headers['x-api-key'] ?? headers['x-sign']}`),
  'resets the connection': () => resets,
}

test.each(Object.entries(SERVICES))(
  'no command prints a secret or leaves one in a file if the service %s',
  { timeout: 240_000 },
  async (_name, act) => {
    const server = await startRawServer(act)
    const place = await homeWithSecrets(server)
    // Run every command with the first two services. With the others, run only the commands that call the service.
    const isPlain = act === works || act === ECHO
    const commands = everyCommand().filter(({ flags }) => isPlain || flags.has('har'))
    await forEachConcurrently([...commands.entries()], 2, async ([index, command]) => {
      const { id, flags } = command
      const har = ['--har', join(place.cwd, `${id.replaceAll(' ', '-')}.har`)]
      const more = [
        ...(flags.has('verbose') ? ['-v'] : []),
        ...(flags.has('har') && !READS_HAR.has(id) ? har : []),
        ...(flags.has('retries') ? ['--retries', '0'] : []),
      ]
      const run = await runIn(place, command, index % 2 === 0 ? more : [...more, '--json'])
      expectNoSecret(run.stdout, `stdout of ${id}`)
      expectNoSecret(run.stderr, `stderr of ${id}`)
    })
    // Make sure that the commands sent the secrets and that there were files to check.
    expect(server.requests.some(({ headers }) => headers['x-api-key'] === SECRETS.key)).toBe(true)
    expect(server.requests.some(({ headers }) => headers['x-sign'] !== undefined)).toBe(true)
    expect(server.requests.some(({ body }) => body.includes(SECRETS.hookKey))).toBe(true)
    expect(expectNoSecretInFiles(place)).toBeGreaterThan(10)
  },
)

test('with --dry-run, no command prints a secret in text, JSON or a curl command', {
  timeout: 240_000,
}, async () => {
  const server = await startRawServer(works)
  const place = await homeWithSecrets(server)
  const commands = everyCommand().filter(({ flags }) => flags.has('dry-run'))
  await forEachConcurrently(commands, 2, async (command) => {
    for (const more of [[], ['--json'], ['--curl']]) {
      const run = await runIn(place, command, ['--dry-run', ...more])
      expectNoSecret(run.stdout + run.stderr, `${command.id} --dry-run ${more.join('')}`)
    }
  })
  expect(expectNoSecretInFiles(place)).toBeGreaterThan(0)
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('programs that partner starts do not inherit its secrets', async () => {
  const server = await startRawServer(works)
  const place = await homeWithSecrets(server)
  const env = { ...place.env, PARTNER_API_KEY: SECRETS.key, PARTNER_SIGNING_SECRET: SECRETS.signing }
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
