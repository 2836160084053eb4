import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyCommand } from '../hostile/every-command.ts'
import { manifestCommands } from '../support/distribution.ts'
import { freshHome, ROOT, runPartner } from '../support/partner.ts'
import { answers, startRawServer } from '../support/raw-server.ts'

const COMMANDS = everyCommand()

/**
 * Starts a service that responds to the GET requests of a dry run. The returned `env` contains all settings that
 * commands need.
 */
async function service() {
  const status = { statusType: 'standard', code: 'SEATED', name: 'Seated' }
  const server = await startRawServer(({ target }) => answers(200, target.includes('statuses') ? [status] : {}))
  const env = {
    ...freshHome(),
    ...server.env,
    ...{ PARTNER_SIGNING_SECRET: 'signing-secret-0815', PARTNER_NAME: 'my-pos', PARTNER_LOCATION_ID: 'L-1' },
    ...{ PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature', HOOK_KEY: 'hook-key-0815', HOOK_TOKEN: 'hook-token-0815' },
  }
  return { server, env }
}

/** Arguments that use a flag, and a pattern that the printed request must match. */
const SEEN_IN_REQUEST: Readonly<Record<string, readonly [given: readonly string[], seen: RegExp]>> = {
  'dry-run': [[], /^(?:GET|POST|PUT|PATCH|DELETE) http/],
  curl: [['--curl'], /^curl /],
  param: [['--param', 'zz=1'], /[?&]zz=1/],
  set: [['--set', 'zz=1'], /"zz": ?1/],
}

describe('flags that change a request', () => {
  // With --dry-run, these commands print something other than a request, such as totals or a plan.
  const withoutRequest =
    /^(?:reservations explain|config|bookings sync compact|sales import|webhooks (?:apply|gaps|replay|torture))$/
  const cases = COMMANDS.filter(({ id }) => !withoutRequest.test(id)).flatMap(({ id, args, flags }) =>
    Object.keys(SEEN_IN_REQUEST)
      .filter((flag) => flags.has(flag) && flags.has('dry-run'))
      .map((flag) => ({ id, args, flag })),
  )

  test.each(cases)(
    'partner $id --dry-run prints a request that shows the effect of --$flag',
    async ({ id, args, flag }) => {
      const { server, env } = await service()
      const [given, seen] = SEEN_IN_REQUEST[flag] ?? [[], /never/]
      // A raw body is sent unchanged, so --set cannot be combined with it.
      const own = flag === 'set' ? args.filter((arg, at) => arg !== '--data' && args[at - 1] !== '--data') : args
      const run = await runPartner([...own, '--dry-run', ...given], { env })
      expect(run.code, run.stderr).toBe(0)
      expect(run.stdout).toMatch(seen)
      const writes = server.requests.filter(({ method }) => method !== 'GET')
      expect(writes, id).toEqual([])
    },
  )
})

describe('command-specific flags', () => {
  /** Returns the source code of a command, including all modules that it imports from features and terminal/input. */
  function textOf(file: string, seen = new Set<string>()): string {
    if (seen.has(file)) return ''
    seen.add(file)
    const text = readFileSync(join(ROOT, file), 'utf8')
    const imported = [...text.matchAll(/from '(\.[^']+)'/g)]
      .map(([, path = '']) => normalize(join(dirname(file), path)))
      .filter((path) => /^src\/(?:features|terminal\/input)\//.test(path) && path !== 'src/terminal/input/flags.ts')
    return [text, ...imported.map((path) => textOf(path, seen))].join('\n')
  }

  test.each(manifestCommands())(
    "the source code of partner $words uses each of the command's own flags",
    ({ words, flags }) => {
      const [file = ''] = globSync(`src/commands/${words.replaceAll(' ', '/')}.ts`, { cwd: ROOT })
      // service.ts reads --force for all commands. --ping is excluded, because it is read before flags are parsed.
      const text = textOf(file) + readFileSync(join(ROOT, 'src/terminal/runtime/service.ts'), 'utf8')
      const own = Object.values(flags).filter(
        ({ name, helpGroup }) => helpGroup !== 'GLOBAL' && !['no-validate', 'ping'].includes(name),
      )
      const isRead = (name: string) =>
        new RegExp(
          `flags\\.${name}\\b|\\['${name}'\\]|'${name}': \\w|\\b(?:ExtraBody|given|typed)\\b[^]*\\b${name}\\b|const \\{[^}]*\\b${name}\\b[^}]*\\} =`,
        ).test(text)
      expect(own.map(({ name }) => name).filter((name) => !isRead(name))).toEqual([])
    },
  )
})
