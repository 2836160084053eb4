import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isVenueOpen } from '../support/dates.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { helpPages, manifestCommands } from '../support/distribution.ts'
import { freshHome, ROOT, runPartner, runShell } from '../support/partner.ts'

// The pages themselves are in docs/commands.md, which the build makes and CI compares.

const PAGES = helpPages().filter(({ words }) => !Object.hasOwn(ALIASES, words))
const COMMANDS = manifestCommands()

describe('help pages', () => {
  test('there is one for every command and topic', () => {
    const topics = COMMANDS.flatMap(({ words }) => {
      const parts = words.split(' ')
      return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join(' '))
    })
    const expected = new Set(['', 'flags', 'topics', ...topics, ...COMMANDS.filter(({ hidden }) => !hidden).map(({ words }) => words)])
    expect(new Set(PAGES.map(({ words }) => words))).toEqual(expected)
  })

  test.each(PAGES)('partner $words --help fits 80 columns, examples aside, and has no trailing space', ({ text }) => {
    const lines = text.split('\n')
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([])
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([])
    expect(text).toMatch(/[^\n]\n$/)
    expect(text).not.toMatch(/<%|undefined|\u001b/)
  })

  test.each(PAGES.filter(({ words }) => words !== ''))('the help page of $words has its sections in the documented order', ({ words, text }) => {
    const titles = text.split('\n').filter((line) => /^[A-Z]/.test(line))
    const order = ['USAGE', 'DESCRIPTION', 'EXAMPLES', 'ARGUMENTS', 'TOPICS', 'COMMANDS', 'FLAGS']
    expect(titles.filter((title) => !title.startsWith('ON '))).toEqual(order.filter((title) => titles.includes(title)))
    if (words !== 'topics') expect(titles.slice(0, 2)).toEqual(['USAGE', 'DESCRIPTION'])
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

  test('partner and partner --help print the same first screen, which fits on 24 lines and whose commands run', async () => {
    const { text } = PAGES.find(({ words }) => words === '') ?? { text: '' }
    expect(text.trimEnd().split('\n').length).toBeLessThan(24)
    for (const args of [[], ['--help'], ['help']])
      expect(await runPartner(args)).toEqual({ code: 0, stdout: text, stderr: '' })
    const named = new Set(PAGES.map(({ words }) => words))
    const entries = [...text.matchAll(/^ {2}([a-z ,]+?) {2,}[a-z]/gm)].flatMap(([, names = '']) => names.split(', '))
    expect(entries.length).toBeGreaterThan(10)
    expect(entries.filter((name) => !named.has(name))).toEqual([])
    const env = freshHome()
    for (const [, line = ''] of text.matchAll(/^ {2}\$ (partner .*)$/gm)) {
      const run = await runShell(line.replace('URL', 'https://dev.example --api-key env:KEY --no-check'), { env })
      expect(run.code, run.stderr).toBe(0)
      if (isVenueOpen() && line.includes('list')) expect(run.stdout.split('\n').length).toBeGreaterThan(3)
    }
  })

  test('help topics lists every topic and every command without a topic', () => {
    const text = PAGES.find(({ words }) => words === 'topics')?.text ?? ''
    const names = new Set(COMMANDS.filter(({ hidden }) => !hidden).map(({ words }) => words.split(' ')[0] ?? ''))
    const listed = [...text.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...names].sort())
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
