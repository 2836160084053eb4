import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isVenueOpen } from '../support/dates.ts'
import { skipWithout } from '../support/needs.ts'
import { PageSession, withoutVaryingParts } from '../support/page-session.ts'
import { freshDirectory, freshHome, ROOT } from '../support/partner.ts'
import { readmeBlocks } from '../support/readme.ts'
import { runInTerminal, TERMINAL } from '../support/terminal.ts'
import { IS_WINDOWS } from '../support/windows.ts'

// scripts/readme/follow.sh runs all blocks of README.md in a new clone, including the setup. These tests skip the setup
// and compare the output with the page.

const BLOCKS = readmeBlocks()

/** Matches lines that clone, install, build or test partner. */
const SETS_UP = /\bnpm (?:ci|link|test|install)\b|^git clone /

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [, CRON_LINE = ''] = README.match(/```crontab\n(.*)\n```/) ?? []

/** Removes the paths from a crontab line, because they differ between machines. */
function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^((?:\S+ ){5}).*?(?= bookings sync)/, '$1')
    .replace(/(--to ).*\//, '$1')
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Returns a pattern for the output that the page shows. A line that contains only `…` matches any text. */
function asShown(output: string): RegExp {
  const lines = output.trim().split(/(?:^|\n)…(?:\n|$)/)
  return new RegExp(`^${lines.map((part) => escaped(part)).join('[^]*')}$`)
}

test('the blocks of README.md, run in order in one shell, print the output shown below them', async (context) => {
  skipWithout(context, { isMet: isVenueOpen(), lack: 'the house is closed today' })
  const home = freshDirectory()
  const session = new PageSession(home, '')
  onTestFinished(() => session.end())
  for (const { mark, script, output } of BLOCKS) {
    if (mark === 'yours') continue
    const here = script
      .replace(/^npx /m, '')
      .split('\n')
      .filter((line) => !SETS_UP.test(line))
      .join('\n')
    if (here.trim() === '') continue
    const printed = await session.run(here)
    // The output on Windows is a scheduled task, which the page does not show.
    if (script.includes('--query crontab') && !IS_WINDOWS) expect(commandOf(printed)).toBe(commandOf(CRON_LINE))
    if (output !== null)
      expect(withoutVaryingParts(printed, home), script).toMatch(asShown(withoutVaryingParts(output, home)))
  }
})

test('README.md shows the giftcards redeem prompt exactly as it appears in a terminal', async (context) => {
  skipWithout(context, TERMINAL)
  const [, command = '', shown = ''] =
    /`partner (giftcards redeem [^`]*)`[^`]*<!-- prompt -->\n```text\n([\s\S]*?)```/.exec(README) ?? []
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox', NO_COLOR: '1' }
  const { screen } = await runInTerminal(command.split(' '), [['(y/N)', 'n\r']], env)
  const plain = screen.replaceAll('\r', '')
  const pieces = shown.trim().split(/\n…\n/)
  expect(pieces.length).toBeGreaterThan(1)
  for (const piece of pieces) expect(plain).toContain(piece)
})

test("at most two blocks of README.md need the reader's own data", () => {
  const marks = BLOCKS.map(({ mark }) => mark).filter((mark) => mark !== null)
  expect(marks.filter((mark) => mark === 'yours').length).toBeLessThanOrEqual(2)
  expect(marks.filter((mark) => mark !== 'yours')).toEqual(['first', 'second'])
})

test("README.md shows the output of every block that does not need the reader's own data", () => {
  const silent = BLOCKS.filter(({ mark, output }) => output === null && mark !== 'yours').map(({ script }) => script)
  expect(silent).toEqual([
    expect.stringMatching(/^git clone /),
    // The output of this block is the crontab block below it.
    'partner bookings sync unit --to venue.db --json --query crontab -r\n',
    'npm test\n',
  ])
})
