import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { placeInArchive } from '../../scripts/package/archive.ts'
import { LIMIT_MS } from '../support/limit.ts'
import { skipWithout } from '../support/needs.ts'
import { freshDirectory, ROOT, runProgram } from '../support/partner.ts'

const PAGES = globSync('dist/man/*/*', { cwd: ROOT })

test('a release archive has user files at the top, manual pages in share/man, and everything else in lib', () => {
  expect(placeInArchive('CHANGELOG.md')).toBe('CHANGELOG.md')
  expect(placeInArchive('docs/money.md')).toBe('docs/money.md')
  expect(placeInArchive('dist/partner.cjs')).toBe('lib/partner/dist/partner.cjs')
  expect(placeInArchive('dist/man/man7/partner-money.7')).toBe('share/man/man7/partner-money.7')
})

test('the Homebrew formula links the manual pages in the release archive', () => {
  const formula = readFileSync(join(ROOT, 'packaging', 'homebrew', 'partner.rb'), 'utf8')
  for (const section of [1, 7]) {
    expect(PAGES.filter((path) => path.startsWith(`dist/man/man${section}/`)).length).toBeGreaterThan(15)
    expect(formula).toContain(`man${section}.install_symlink Dir[libexec/"share/man/man${section}/*"]`)
  }
})

test('man finds the manual pages of an unpacked archive whose bin directory is on PATH', async (context) => {
  const isMet = spawnSync('man', ['--version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0
  skipWithout(context, { isMet, lack: 'man is not installed' })
  const home = freshDirectory()
  mkdirSync(join(home, 'bin'))
  for (const path of PAGES) {
    const place = join(home, placeInArchive(path))
    mkdirSync(dirname(place), { recursive: true })
    cpSync(join(ROOT, path), place)
  }
  const where = (...page: string[]) =>
    runProgram('man', ['-w', ...page], { env: { PATH: `${join(home, 'bin')}:${process.env['PATH']}` } })
  expect((await where('partner-giftcards-redeem')).stdout).toBe(
    `${join(home, 'share/man/man1/partner-giftcards-redeem.1')}\n`,
  )
  expect((await where('7', 'partner-money')).stdout).toBe(`${join(home, 'share/man/man7/partner-money.7')}\n`)
})
