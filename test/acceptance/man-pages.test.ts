import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DIST, helpPages, manifestCommands } from '../support/distribution.ts'
import { LIMIT_MS } from '../support/limit.ts'
import { needs } from '../support/needs.ts'
import { runProgram } from '../support/partner.ts'

const FOLDER = join(DIST, 'man', 'man1')
const pages = readdirSync(FOLDER).sort()

/** Where CI requires it, the tests fail without it. */
const isRequired = (process.env['PARTNER_TEST_REQUIRES'] ?? '').split(',').includes('mandoc')

const MANDOC = {
  isMet:
    isRequired ||
    spawnSync('mandoc', ['-T', 'ascii', '/dev/null'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0,
  lack: 'mandoc is not installed',
}

test('the tool, every topic and every command have a page of man, and nothing else has', () => {
  const wanted = helpPages()
    .filter(({ words }) => words !== 'flags')
    .map(({ words }) => `${['partner', ...words.split(' ').filter((word) => word !== '')].join('-')}.1`)
  expect(pages).toEqual(wanted.sort())
})

describe('as mandoc reads them', () => {
  needs(MANDOC)

  test('nothing is to be said against any page', async () => {
    const { stdout, stderr } = await runProgram('mandoc', ['-T', 'lint', ...pages.map((name) => join(FOLDER, name))])
    // The date is that of the last commit: an export of the source has none.
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.includes('missing date'))
    expect(said).toEqual([])
  })

  test.each(manifestCommands().filter(({ hidden }) => !hidden))(
    'partner $words: its flags, examples and arguments',
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

test('npm links the page of the tool', () => {
  const { man } = JSON.parse(readFileSync(join(DIST, '..', 'package.json'), 'utf8')) as {
    readonly man: readonly string[]
  }
  expect(man.map((path) => join(DIST, '..', path))).toEqual([join(FOLDER, 'partner.1')])
})
