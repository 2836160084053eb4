import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer } from 'marked'
import { describe, expect, test } from 'vitest'
import { GUIDES } from '../../src/base/failure/guides.ts'
import { ALIASES } from '../../src/terminal/input/words/aliases.ts'
import { DIST, helpPages, manifestCommands } from '../support/distribution.ts'
import { LIMIT_MS } from '../support/limit.ts'
import { needs } from '../support/needs.ts'
import { ROOT, runProgram } from '../support/partner.ts'

/**
 * The directory of the manual pages. In a release archive, it is share/man next to bin, which is where man looks for
 * pages.
 */
const PLACE = [join(DIST, 'man'), join(DIST, '..', '..', '..', 'share', 'man')].find((path) => existsSync(path)) ?? ''
const FOLDER = join(PLACE, 'man1')
const pages = readdirSync(FOLDER).sort()

const GUIDE_FOLDER = join(PLACE, 'man7')
const guidePages = readdirSync(GUIDE_FOLDER).sort()

/** In CI, the tests fail instead of being skipped if mandoc is not installed. */
const isRequired = (process.env['PARTNER_TEST_REQUIRES'] ?? '').split(',').includes('mandoc')

const MANDOC = {
  isMet:
    isRequired ||
    spawnSync('mandoc', ['-T', 'ascii', '/dev/null'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0,
  lack: 'mandoc is not installed',
}

test('partner, every topic and every command have a manual page, and there are no other pages', () => {
  const wanted = helpPages()
    .filter(({ words }) => !['flags', 'topics'].includes(words) && !Object.hasOwn(ALIASES, words))
    .map(({ words }) => `${['partner', ...words.split(' ').filter((word) => word !== '')].join('-')}.1`)
  expect(pages).toEqual(wanted.sort())
})

test('each guide has a manual page, and partner(1) and the related commands refer to it', () => {
  expect(guidePages).toEqual(GUIDES.map((guide) => `partner-${guide}.7`).sort())
  const main = readFileSync(join(FOLDER, 'partner.1'), 'utf8')
  for (const guide of GUIDES) expect(main).toContain(`.BR partner\\-${guide.replaceAll('-', '\\-')} (7)`)
  const leads = (name: string) => readFileSync(join(FOLDER, `${name}.1`), 'utf8').split('.SH SEE ALSO')[1]
  expect(leads('partner-giftcards-redeem')).toContain('.BR partner\\-money (7)')
  expect(leads('partner-sales-import')).toContain('.BR partner\\-import (7)')
  expect(leads('partner-webhooks')).toContain('.BR partner\\-webhooks (7)')
})

describe('manual pages rendered by mandoc', () => {
  needs(MANDOC)

  const ALL = [...pages.map((name) => join(FOLDER, name)), ...guidePages.map((name) => join(GUIDE_FOLDER, name))]

  test('mandoc reports no problems in any manual page', async () => {
    const { stdout, stderr } = await runProgram('mandoc', ['-T', 'lint', ...ALL])
    // The pages' date is the date of the last commit, which is unknown in an exported source tree.
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
  })

  test.each(manifestCommands().filter(({ hidden }) => !hidden))(
    'the manual page of partner $words lists its flags, examples and arguments',
    async (command) => {
      const path = join(FOLDER, `partner-${command.words.replaceAll(' ', '-')}.1`)
      const { code, stdout } = await runProgram('mandoc', ['-T', 'ascii', '-O', 'width=200', path])
      expect(code).toBe(0)
      const text = stdout.replace(/.\u0008/g, '')
      expect(text).toContain(`partner-${command.words.replaceAll(' ', '-')} - `)
      expect(text).toContain(`partner ${command.words}`)
      for (const { name, helpGroup } of Object.values(command.flags))
        if (helpGroup !== 'GLOBAL') expect(text).toContain(`--${name}`)
      for (const { name } of Object.values(command.args)) expect(text).toContain(name.toUpperCase())
      const plain = text.replace(/\s+/g, '')
      for (const example of command.examples ?? []) {
        const shown = example.replaceAll('<%= config.bin %>', 'partner').replaceAll('<%= command.id %>', command.words)
        expect(plain).toContain(shown.replace(/\s+/g, ''))
      }
    },
  )
})

describe('guides rendered by mandoc', () => {
  needs(MANDOC)

  test.each(GUIDES)('the manual page of the %s guide contains all of its headings and code lines', async (guide) => {
    const path = join(GUIDE_FOLDER, `partner-${guide}.7`)
    const { stdout } = await runProgram('mandoc', ['-T', 'utf8', '-O', 'width=200', path])
    const text = stdout.replace(/.\u0008/gu, '').replace(/\s+/g, '')
    const markdown = readFileSync(join(ROOT, 'docs', `${guide}.md`), 'utf8')
    const lines = lexer(markdown).flatMap((token) => (token.type === 'code' ? String(token['text']).split('\n') : []))
    expect(lines.filter((line) => !text.includes(line.replace(/\s+/g, '')))).toEqual([])
    const headings = [...markdown.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''))
    expect(headings.filter((heading) => !text.includes(heading.toUpperCase().replace(/\s+/g, '')))).toEqual([])
  })
})

test("package.json lists partner's manual page, so that npm installs it", () => {
  const { man } = JSON.parse(readFileSync(join(DIST, '..', 'package.json'), 'utf8')) as {
    readonly man: readonly string[]
  }
  expect(man.map((path) => join(DIST, '..', path))).toEqual([join(DIST, 'man', 'man1', 'partner.1')])
})
