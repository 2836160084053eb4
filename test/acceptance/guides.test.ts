import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GUIDES, guideCommand } from '../../src/base/failure/guides.ts'
import { helpPages } from '../support/distribution.ts'
import { freshHome, ROOT, runPartner } from '../support/partner.ts'
import { reportedError } from '../support/refusal.ts'
import { words } from '../support/words.ts'

/** Returns the Markdown source of a page in docs/ and the text that partner prints for it. */
async function guide(name: (typeof GUIDES)[number]) {
  const run = await runPartner(words(guideCommand(name)).slice(1), { env: freshHome() })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return { source: readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8'), text: run.stdout }
}

describe('guides in partner help', () => {
  test('every page in docs/ is a guide, except commands.md, releasing.md and README.md', () => {
    const pages = globSync('docs/*.md', { cwd: ROOT }).map((file) => basename(file, '.md'))
    expect(pages.filter((name) => !['commands', 'releasing', 'README'].includes(name)).sort()).toEqual(
      [...GUIDES].sort(),
    )
  })

  test.each(GUIDES)('partner help shows the whole %s guide within 80 columns', async (name) => {
    const { source, text } = await guide(name)
    const [, title = ''] = /^# (.+)$/m.exec(source) ?? []
    expect(text).toMatch(new RegExp(`^${title.toUpperCase()}$`, 'm'))
    expect(text).not.toMatch(/\]\(|\*\*|&(?:lt|gt|amp|quot|#39);|undefined/)
    expect(text.split('\n').filter((line) => /\s$/.test(line))).toEqual([])
    // A table may be wider than 80 columns if its longest words do not fit.
    expect(text.split('\n').filter((line) => line.length > 80 && !/^ {2}/.test(line))).toEqual([])
    const pieces = source.split(/^```.*$/m)
    for (const block of pieces.filter((_, at) => at % 2 === 1))
      for (const line of block.split('\n')) expect(text).toContain(line.trimEnd())
    const plain = (written: string) => written.replace(/\s+/g, '')
    const prose = pieces.filter((_, at) => at % 2 === 0)
    for (const [, code = ''] of prose.join('\n').matchAll(/`([^`\n]+)`/g))
      for (const word of code.replaceAll('\\|', '|').split(' ')) expect(plain(text)).toContain(plain(word))
  })

  test('partner help guides lists every guide and is mentioned on the start page', async () => {
    const env = freshHome()
    const { stdout } = await runPartner(['help', 'guides'], { env })
    for (const name of GUIDES) expect(stdout).toContain(guideCommand(name))
    expect((await runPartner(['help'], { env })).stdout).toContain('partner help guides')
  })

  test('partner help NAME appends the guide of the same name to the help page, but partner NAME --help does not', async () => {
    const shared = helpPages().filter(({ words: named }) => (GUIDES as readonly string[]).includes(named))
    expect(shared.length).toBeGreaterThan(5)
    for (const { words: name, text } of shared) {
      const { stdout: guide } = await runPartner(['help', 'guide', name])
      expect(await runPartner(['help', name])).toMatchObject({ code: 0, stdout: `${text}\n${guide}` })
      expect(await runPartner([name, '--help'])).toMatchObject({ code: 0, stdout: text })
    }
  })

  test.each([
    ['help guide nope', 'unknown command "guide nope"'],
    ['help money more', 'unknown command "money more"'],
  ])('partner %s exits with code 2', async (line, says) => {
    const run = await runPartner(words(line), { env: freshHome() })
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) })
  })
})

describe('guides in hints', () => {
  test.each([
    ['bookings list --from soon -p sandbox', 'times'],
    ['bookings list --date today --from today -p sandbox', 'times'],
    ['giftcards redeem GIFT1-00000100-AAAA --amount 1e3 -p sandbox', 'money-units'],
    ['bookings statuses --query [ -p sandbox', 'output'],
    ['bookings statuses', 'environment'],
  ])('the hint for partner %s mentions the %s guide', async (line, name) => {
    const run = await runPartner([...words(line), '--json'], { env: freshHome() })
    expect(reportedError(run).hint).toMatch(new RegExp(`\\(more: partner help ${name}\\)$`))
  })

  test('the hints for a rejected key and an unreachable service recommend partner doctor', async () => {
    const env = { ...freshHome(), PARTNER_API_KEY: 'wrong', PARTNER_PROFILE: 'sandbox' }
    const refused = await runPartner(words('bookings statuses --json'), { env })
    expect(reportedError(refused)).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(reportedError(refused).hint).toMatch(/\(more: partner doctor\)$/)
    const nobody = { ...freshHome(), PARTNER_API_KEY: 'any-key-0815', PARTNER_BASE_URL: 'http://127.0.0.1:9' }
    const away = await runPartner(words('bookings statuses --retries 0 --json'), { env: nobody })
    expect(reportedError(away).hint).toMatch(/\(more: partner doctor\)$/)
    const added = words('profiles add away --base-url http://127.0.0.1:9 --api-key env:PARTNER_API_KEY')
    expect(await runPartner(added, { env: nobody })).toMatchObject({ code: 0 })
    const named = await runPartner(words('bookings statuses --retries 0 -p away --json'), { env: nobody })
    expect(reportedError(named).hint).toMatch(/\(more: partner doctor --profile away\)$/)
  })

  test('the hint for several problems mentions a guide only if the guide covers all of them', async () => {
    const env = freshHome()
    const both = words('bookings list --from soon --to later -p sandbox --json')
    expect(reportedError(await runPartner(both, { env })).hint).toContain('partner help times')
    const mixed = words('reservations create --people none --time soon -p sandbox --json')
    expect(reportedError(await runPartner(mixed, { env })).hint).not.toContain('partner help times')
  })
})
