import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isVenueOpen } from '../support/dates.ts'
import { standBackWithout } from '../support/needs.ts'
import { lasting, PageSession } from '../support/page-session.ts'
import { freshDirectory, freshHome, ROOT } from '../support/partner.ts'
import { readmeBlocks } from '../support/readme.ts'
import { runInTerminal, TERMINAL } from '../support/terminal.ts'

// Its blocks are followed literally, set-up included, by scripts/readme/follow.sh, in a fresh clone. Here: do they show what is printed?

const BLOCKS = readmeBlocks()

/** What installs, builds and tests is for a fresh clone alone. */
const SETS_UP = /\bnpm (?:ci|link|test|install)\b|^git clone /

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [, CRON_LINE = ''] = README.match(/```crontab\n(.*)\n```/) ?? []

/** When a line for cron runs what; where the tool and the copy are is another place on each machine. */
function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^((?:\S+ ){5}).*?(?= bookings sync)/, '$1')
    .replace(/(--to ).*\//, '$1')
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The lines that a page shows, in their order, with anything where it has `…`. */
function asShown(output: string): RegExp {
  const lines = output.trim().split(/(?:^|\n)…(?:\n|$)/)
  return new RegExp(`^${lines.map((part) => escaped(part)).join('[^]*')}$`)
}

test('every block of README.md prints what stands under it, in one shell, in order', async (context) => {
  standBackWithout(context, { isMet: isVenueOpen(), lack: 'the house is closed today' })
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
    if (script.includes('--query crontab')) expect(commandOf(printed)).toBe(commandOf(CRON_LINE))
    if (output !== null) expect(lasting(printed, home), script).toMatch(asShown(lasting(output, home)))
  }
})

test('README.md shows the prompt of giftcards redeem as it appears at a terminal', async (context) => {
  standBackWithout(context, TERMINAL)
  const [, command = '', shown = ''] =
    /`partner (giftcards redeem [^`]*)`[^`]*<!-- prompt -->\n```text\n([\s\S]*?)```/.exec(README) ?? []
  const env = { ...freshHome(), PARTNER_PROFILE: 'sandbox', NO_COLOR: '1' }
  const { screen } = await runInTerminal(command.split(' '), [['(y/N)', 'n\r']], env)
  const plain = screen.replaceAll('\r', '')
  const pieces = shown.trim().split(/\n…\n/)
  expect(pieces.length).toBeGreaterThan(1)
  for (const piece of pieces) expect(plain).toContain(piece)
})

test('at most two blocks of README.md need the reader, and one installs, builds and does the main job', () => {
  const marks = BLOCKS.map(({ mark }) => mark).filter((mark) => mark !== null)
  expect(marks.filter((mark) => mark === 'yours').length).toBeLessThanOrEqual(2)
  expect(marks.filter((mark) => mark !== 'yours')).toEqual(['first', 'second'])
})

test('every block of README.md but those that need the reader is followed by what it prints', () => {
  const silent = BLOCKS.filter(({ mark, output }) => output === null && mark !== 'yours').map(({ script }) => script)
  expect(silent).toEqual([
    expect.stringMatching(/^git clone /),
    // Its output is the crontab block below it.
    'partner bookings sync unit --to venue.db --json --query crontab -r\n',
    'npm test\n',
  ])
})
