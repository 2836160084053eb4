import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXIT_CODES } from '../../src/base/failure/exit-codes.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { CONFIRMATION_RULE } from '../../src/features/shared/money-write.ts'
import { API_ENVIRONMENT, API_PAIRS } from '../support/api-page.ts'
import { helpPages, manifestCommands } from '../support/distribution.ts'
import { freshHome, ROOT, runShell } from '../support/partner.ts'

const DOCS = join(ROOT, 'docs')
const page = (name: string) => readFileSync(join(DOCS, name), 'utf8')

/**
 * Returns the request that a command line would send. Query parameters and members are sorted, and whitespace is
 * removed, so that two requests can be compared.
 */
async function sent(line: string) {
  const done = await runShell(`${line} --dry-run --json`, { env: { ...freshHome(), ...API_ENVIRONMENT } })
  expect(done, line).toMatchObject({ code: 0 })
  const { method, url, headers, body } = JSON.parse(done.stdout)
  const { origin, pathname, searchParams } = new URL(url)
  const { 'x-partner-signature': signature, ...others } = headers
  const isSigned = signature !== undefined
  return { method, address: origin + pathname, query: [...searchParams].sort(), headers: others, isSigned, body }
}

describe('the examples in docs/api.md', () => {
  test.each(API_PAIRS)(
    '$command sends the same request as the partner api line next to it',
    async ({ command, rawCall }) => {
      expect(await sent(rawCall)).toEqual(await sent(command))
    },
  )

  const SUBSCRIBE = 'partner webhooks create BOOKING_CREATED https://pos.example/hooks > /dev/null &&'
  test.each(API_PAIRS.flatMap(({ command, rawCall }) => [command, rawCall]))(
    'the example in docs/api.md runs as pasted: %s',
    async (line) => {
      const whole = /webhooks/i.test(line) ? `${SUBSCRIBE} ${line}` : line
      const done = await runShell(whole, { env: { ...freshHome(), PARTNER_PROFILE: 'sandbox' } })
      expect(done.code, done.stderr).toBe(0)
    },
  )

  test('docs/api.md lists every endpoint of the service', () =>
    expect(new Set(API_PAIRS.map(({ id }) => id))).toEqual(new Set(Object.keys(ENDPOINTS))))
})

test('docs/exit-codes.md lists exactly the existing exit codes and error codes', () => {
  const documented = [...page('exit-codes.md').matchAll(/^\| (\d+) \| (.*?) \|/gm)].flatMap(([, code, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, Number(code)]),
  )
  expect(Object.fromEntries(documented)).toEqual(EXIT_CODES)
})

test('docs/commands.md lists every command with all of its flags', () => {
  const text = page('commands.md')
  for (const { words, flags, hidden } of manifestCommands()) {
    if (hidden) continue
    const section = text.split(`\n## ${words}\n`)[1]?.split('\n## ')[0] ?? ''
    for (const flag of Object.values(flags).filter(({ helpGroup }) => helpGroup !== 'GLOBAL'))
      expect(section, words).toContain(`--${flag.name}`)
  }
})

test.each(['giftcards redeem', 'giftcards cancel', 'inbound redeem'])(
  'docs/money.md and the help of %s state the same rule for confirmation',
  (command) => {
    const help = helpPages().find(({ words }) => words === command)?.text ?? ''
    for (const text of [page('money.md'), help])
      expect(text.replaceAll('`', '').replace(/\s+/g, ' ')).toContain(CONFIRMATION_RULE)
  },
)

test('docs/environment.md lists every environment variable that sets a flag', () => {
  const text = page('environment.md')
  for (const { flags } of manifestCommands())
    for (const { env } of Object.values(flags)) if (env !== undefined) expect(text).toContain(`\`${env}\``)
})

const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })

test.each(PAGES)('every link in %s points to an existing page', (file) => {
  for (const [, target = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g))
    expect(existsSync(join(ROOT, dirname(file), target)), target).toBe(true)
})

test.each(['CONTRIBUTING.md', ...PAGES.filter((file) => file.startsWith('docs/design/'))])(
  '%s mentions only files and folders that exist',
  (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|bench|bin|docs|runtime)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  },
)

test.each(PAGES.filter((file) => file !== 'docs/commands.md'))(
  'the prose lines of %s have at most 120 characters',
  (file) => {
    const prose = readFileSync(join(ROOT, file), 'utf8').replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    expect(prose.split('\n').filter((line) => line.length > 120 && !line.startsWith('|'))).toEqual([])
  },
)

test('README.md has at most 180 lines', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(180)
})

/** The commands whose code the contributor pages show. Only the help texts may differ from the source. */
const CLASS = /```ts\nexport default class (\w+) [\s\S]*?(\n {2}async run[\s\S]*?)```/g
const SHOWN = ['CONTRIBUTING.md', 'docs/design/recipes.md'].flatMap((file) => {
  const classes = readFileSync(join(ROOT, file), 'utf8').matchAll(CLASS)
  return Array.from(classes, ([, name = '', code = '']) => ({ file, name, code }))
})

test('CONTRIBUTING.md and docs/design/recipes.md show the code of three commands', () => expect(SHOWN).toHaveLength(3))

test.each(SHOWN)('$file shows the current code of the $name command class', ({ name, code }) => {
  const sources = globSync('src/commands/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))
  expect(sources.find((source) => source.includes(`export default class ${name} `))).toContain(code)
})
