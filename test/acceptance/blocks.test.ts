import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PageSession } from '../support/page-session.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'

// Tests run every code block in docs/ exactly as a reader would paste it, except blocks that are not meant to be pasted
// and blocks that are marked as needing the reader's own data.

/**
 * A code block with its language, its text, and whether the line before it marks it as needing the reader's own data.
 */
interface Block {
  readonly page: string
  readonly language: string
  readonly text: string
  readonly isYours: boolean
}

const PAGES = globSync('docs/*.md', { cwd: ROOT })

const BLOCKS: readonly Block[] = PAGES.flatMap((path) =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^(<!-- yours -->\n)?^```(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, mark, language = '', text = '']) => ({ page: basename(path), language, text, isYours: mark !== undefined }),
  ),
)

/**
 * For each page and language, the test that runs or compares the blocks. PowerShell blocks are only parsed, because the
 * test machines have no PowerShell. `console` blocks are not listed here, because pages.test.ts runs all of them.
 */
const RUN_BY: Readonly<Record<string, string>> = {
  // Each of these blocks contains pairs of equivalent lines, which the test runs and compares.
  'api.md sh': 'test/acceptance/docs.test.ts',
  'completion.md sh': 'test/terminal/completion/shells',
  'cron.md powershell': 'test/terminal/completion/shells/powershell.test.ts',
  'cron.md sh': 'test/acceptance/examples.ci.test.ts',
  'cron.md yaml': 'test/acceptance/cron.test.ts',
  'database.md sql': 'test/acceptance/database.test.ts',
  'openapi.md ts': 'test/acceptance/openapi.test.ts',
  'output.md sh': 'test/acceptance/examples.ci.test.ts',
  'windows.md bat': 'test/windows/batch-file.test.ts',
  'windows.md powershell': 'test/terminal/completion/shells/powershell.test.ts',
}

/** Whether the reader saves the block as a file. If so, its first line contains the language and the file's name. */
const isFile = ({ language }: Block) => /^\w+ \S+$/.test(language)

/** Whether the block needs the npm registry. Only scripts/openapi/check-page.ts runs such blocks, in CI. */
const needsRegistry = ({ text }: Block) => text.includes('npm install ')

/** Pages whose `sh` blocks are run below, in order and in one shell. */
const HERE = ['agents.md', 'doctor.md', 'openapi.md', 'support.md', 'webhooks.md']

const isHere = (block: Block) => HERE.includes(block.page) && block.language === 'sh' && !block.isYours

test('every code block in docs/ is run by a test or marked as not runnable', () => {
  const others = BLOCKS.filter(
    (block) => !(block.isYours || isFile(block) || needsRegistry(block) || isHere(block) || block.language === 'text'),
  )
  const runs = readFileSync(join(import.meta.dirname, 'pages.test.ts'), 'utf8')
  const isRun = ({ page, language }: Block) =>
    language === 'console'
      ? runs.includes(`['${page}', `)
      : existsSync(join(ROOT, RUN_BY[`${page} ${language}`] ?? '-'))
  const left = others.filter((block) => !isRun(block))
  expect(left.map(({ page, language, text }) => `${page}: ${language}: ${text}`)).toEqual([])
  const used = new Set(BLOCKS.map(({ page, language }) => `${page} ${language}`))
  expect(Object.keys(RUN_BY).filter((key) => !used.has(key))).toEqual([])
})

test("only blocks that need a server or one of the reader's own IDs are marked as not runnable", () => {
  const yours = BLOCKS.filter(({ isYours }) => isYours)
  expect(yours.filter(({ text }) => !/\bdb\.example\b|YOUR-ID/.test(text))).toEqual([])
  const others = BLOCKS.filter(({ language, isYours }) => language === 'sh' && !isYours)
  expect(others.filter(({ text }) => /\bdb\.example\b/.test(text))).toEqual([])
})

describe('documentation pages', () => {
  test.each(HERE)('the blocks of docs/%s run in order in one shell', { timeout: 120_000 }, async (page) => {
    const home = freshDirectory()
    const session = new PageSession(home, '')
    try {
      await session.run('export PARTNER_PROFILE=sandbox')
      // The page assumes that the reader has a copy of the bookings and a listener's journal.
      if (page === 'doctor.md') await session.run('partner bookings sync --to bookings.ndjson')
      writeFileSync(join(home, 'hooks.ndjson'), '')
      const blocks = BLOCKS.filter((block) => block.page === page && isHere(block) && !needsRegistry(block))
      expect(blocks.length).toBeGreaterThan(0)
      for (const line of blocks.flatMap(({ text }) => text.trim().split('\n'))) {
        const said = await session.run(`${line}; echo "ended with $?"`)
        expect(said.trimEnd().split('\n').at(-1), `${line}\n${said}`).toBe('ended with 0')
      }
    } finally {
      session.end()
    }
  })
})
