import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isVenueOpen } from '../support/dates.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { helpPages, manifestCommands } from '../support/distribution.ts'
import { freshDirectory, freshHome, ROOT, runPartner, runShell } from '../support/partner.ts'

// The pages themselves are in docs/commands.md, which the build makes and CI compares.

const PAGES = helpPages().filter(({ words }) => !Object.hasOwn(ALIASES, words))
const COMMANDS = manifestCommands()

describe('help pages', () => {
  test('there is one for every command and topic', () => {
    const topics = COMMANDS.flatMap(({ words }) => {
      const parts = words.split(' ')
      return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join(' '))
    })
    const expected = new Set(['', 'flags', ...topics, ...COMMANDS.filter(({ hidden }) => !hidden).map(({ words }) => words)])
    expect(new Set(PAGES.map(({ words }) => words))).toEqual(expected)
  })

  test.each(PAGES)('partner $words --help fits 80 columns, examples aside, and has no trailing space', ({ text }) => {
    const lines = text.split('\n')
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([])
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([])
    expect(text).toMatch(/[^\n]\n$/)
    expect(text).not.toMatch(/<%|undefined|\u001b/)
  })

  test.each(PAGES.filter(({ words }) => words !== ''))('partner $words --help stands in the usual order', ({ text }) => {
    const titles = text.split('\n').filter((line) => /^[A-Z]/.test(line))
    const order = ['USAGE', 'DESCRIPTION', 'EXAMPLES', 'ARGUMENTS', 'COMMANDS', 'FLAGS']
    expect(titles.filter((title) => !title.startsWith('ON '))).toEqual(order.filter((title) => titles.includes(title)))
    expect(titles.slice(0, 2)).toEqual(['USAGE', 'DESCRIPTION'])
  })

  test.each(COMMANDS)('partner $words --help ends with the way to the global flags, and lists none', ({ words, flags }) => {
    const text = PAGES.find((page) => page.words === words)?.text ?? ''
    expect(text).toMatch(/\n\n {2}Global flags, [^\n]*: partner help flags\n$/)
    const listed = [...(text.split('\nFLAGS\n')[1] ?? '').matchAll(/^ {2}(?: {4})?(?:-\w, )?--([\w-]+)/gm)].map(([, name = '']) => name)
    const own = Object.values(flags).filter(({ helpGroup }) => helpGroup !== 'GLOBAL')
    expect(listed.sort()).toEqual(own.map(({ name }) => name).sort())
  })

  test.each(['--help', '-h'])('%s after any words prints the page, whatever else stands there', async (flag) => {
    const page = PAGES.find(({ words }) => words === 'bookings list')?.text
    expect(await runPartner(['bookings', 'list', flag])).toEqual({ code: 0, stdout: page, stderr: '' })
    expect(await runPartner(['bookings', 'list', '--from', 'today', '--nonsense', flag])).toMatchObject({
      code: 0,
      stdout: page,
    })
  })

  test('help, a bare topic, and nothing at all print their pages', async () => {
    const page = (wanted: string) => PAGES.find(({ words }) => words === wanted)?.text
    expect(await runPartner(['help'])).toMatchObject({ code: 0, stdout: page('') })
    expect(await runPartner(['bookings'])).toMatchObject({ code: 0, stdout: page('bookings') })
    expect(await runPartner(['help', 'bookings'])).toMatchObject({ code: 0, stdout: page('bookings') })
    expect(await runPartner(['help', 'bookings', 'get'])).toMatchObject({ code: 0, stdout: page('bookings get') })
  })

  test('partner alone leads to the sandbox, until there is a profile', async () => {
    const page = PAGES.find(({ words }) => words === '')?.text ?? ''
    const env = freshHome()
    const first = (await runPartner([], { env })).stdout
    expect(first).toContain(page)
    const pasted = first.slice(0, first.indexOf(page)).split('\n').filter((line) => /^ {2}partner /.test(line))
    expect(pasted).toHaveLength(2)
    for (const line of pasted) {
      const run = await runShell(line, { env })
      expect(run.code, run.stderr).toBe(0)
      if (isVenueOpen()) expect(run.stdout.split('\n').length).toBeGreaterThan(3)
    }
    expect((await runPartner([], { env })).stdout).toBe(first)
    await runPartner(['profiles', 'add', 'dev', '--base-url', 'https://dev.example', '--api-key', 'env:KEY'], { env })
    expect(await runPartner([], { env })).toEqual({ code: 0, stdout: page, stderr: '' })
    for (const named of [{ PARTNER_PROFILE: 'sandbox' }, { PARTNER_BASE_URL: 'https://dev.example' }])
      expect((await runPartner([], { env: { ...freshHome(), ...named } })).stdout).toBe(page)
    const home = freshDirectory()
    const xdg = { HOME: home, XDG_CONFIG_HOME: undefined }
    expect((await runPartner([], { env: xdg })).stdout).toBe(first)
    await runPartner(['profiles', 'add', 'dev', '--base-url', 'https://dev.example'], { env: xdg })
    expect((await runPartner([], { env: xdg })).stdout).toBe(page)
  })

  test('after -- a --help belongs to somebody else', async () => {
    const run = await runPartner(['sandbox', 'exec', '--', 'sh', '-c', 'echo "$1"', 'sh', '--help'])
    expect(run).toMatchObject({ code: 0, stdout: '--help\n' })
  })

  test('help for a command that does not exist is exit 2 with a suggestion', async () => {
    const run = await runPartner(['bookings', 'lst', '--help'])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain('did you mean "partner bookings list"?')
  })
})

describe('--version', () => {
  test('names the version, the platform and the Node that runs it', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const args of [['--version'], ['version']]) {
      const { code, stdout } = await runPartner(args)
      expect(code).toBe(0)
      expect(stdout).toMatch(
        new RegExp(`^partner/${version} ${process.platform}-${process.arch} node-v\\d+\\.\\d+\\.\\d+\\n$`),
      )
    }
  })
})

describe('commands and flags', () => {
  test.each(COMMANDS)('partner $words says what it is for, each flag what it does, and shows an example', (command) => {
    expect(command.summary).toMatch(/^[A-Z].*\.$/)
    expect(command.examples?.length).toBeGreaterThan(0)
    for (const { name, summary } of Object.values(command.flags)) expect(summary, name).toMatch(/^\S.*\.$/)
  })

  test.each(COMMANDS)('the examples of partner $words use only flags that there are', ({ words, examples = [] }) => {
    for (const example of examples) {
      const line = example.replace('<%= config.bin %> <%= command.id %>', `partner ${words}`)
      const own = line.slice(line.indexOf(`partner ${words}`)).split(/ -- | [|;<>] /)[0] ?? ''
      // `sandbox clock` may show `sandbox clock set`: the longest command that the line begins with is meant.
      const meant = COMMANDS.findLast((command) => `${own} `.startsWith(`partner ${command.words} `))
      const known = Object.values(meant?.flags ?? {}).flatMap(({ name, char }) => [
        `--${name}`,
        ...(char ? [`-${char}`] : []),
      ])
      const used = own.replace(/"[^"]*"|'[^']*'/g, '').match(/(?<=\s)--?[a-z][a-z-]*/g) ?? []
      expect(
        used.filter((flag) => !known.includes(flag)),
        line,
      ).toEqual([])
    }
  })
})
