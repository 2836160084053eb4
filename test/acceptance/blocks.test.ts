import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PageSession } from '../support/page-session.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'

// Every block of every page in docs/ is run by a test as it is pasted, is not there to be pasted, or is the reader's own, and says so.

/** A block of a page: its language, its text, and whether the line before marks it as the reader's own. */
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

/** What runs, or compares, the blocks of a language on a page. Of `console` it is pages.test.ts, on every page. */
const RUN_BY: Readonly<Record<string, string>> = {
  // A pair of lines each, compared and run.
  'api.md sh': 'test/acceptance/docs.test.ts',
  'completion.md sh': 'test/terminal/completion/shells',
  'cron.md sh': 'test/acceptance/examples.test.ts',
  'cron.md yaml': 'test/acceptance/cron.test.ts',
  'database.md sql': 'test/acceptance/database.test.ts',
  'openapi.md ts': 'test/acceptance/openapi.test.ts',
  'output.md sh': 'test/acceptance/examples.test.ts',
}

/** Files that a page gives: what they are saved as stands behind the language. */
const isFile = ({ language }: Block) => /^\w+ \S+$/.test(language)

/** What a registry of npm is needed for runs in CI: scripts/openapi/check-page.ts. */
const needsRegistry = ({ text }: Block) => text.includes('npm install ')

/** Pages whose `sh` blocks run below, in order, in one shell. */
const HERE = ['doctor.md', 'openapi.md', 'support.md', 'webhooks.md']

const isHere = (block: Block) => HERE.includes(block.page) && block.language === 'sh' && !block.isYours

test('every block is run as pasted by a test that is there, or says that it is not to be', () => {
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

test('of the reader is only what needs a server or an address of their own', () => {
  const yours = BLOCKS.filter(({ isYours }) => isYours)
  expect(yours.filter(({ text }) => !/\bdb\.example\b|YOUR-ID/.test(text))).toEqual([])
  const others = BLOCKS.filter(({ language, isYours }) => language === 'sh' && !isYours)
  expect(others.filter(({ text }) => /\bdb\.example\b/.test(text))).toEqual([])
})

describe('runs as pasted, in one shell', () => {
  test.each(HERE)('docs/%s', { timeout: 120_000 }, async (page) => {
    const home = freshDirectory()
    const session = new PageSession(home, '')
    try {
      await session.run('export PARTNER_PROFILE=sandbox')
      // What the reader has by then: a copy, and deliveries that a listener has kept.
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
