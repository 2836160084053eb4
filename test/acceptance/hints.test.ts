import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GUIDES, guideCommand } from '../../src/base/failure/guides.ts'
import { helpPages, manifestCommands } from '../support/distribution.ts'
import { freshHome, ROOT, runPartner } from '../support/partner.ts'
import { answers, startRawServer } from '../support/raw-server.ts'
import { reportedError } from '../support/refusal.ts'
import { words } from '../support/words.ts'

/**
 * Words that may follow "partner" in prose without being a command, as in "partner manager", "partner endpoints" and
 * "partner writes".
 */
const PROSE =
  /^(?:again|and|app|are|bulk|by|cannot(?: connect)?|does|for|endpoints?|go|inbox|inbound endpoints?|inbound needs|is|keeps|looks|made|manager|may|name|needs|offered|partners?|put there|reads|sends|sent|sets|signs|system|was|writes?|wrote)\b/

function linesOfCode(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
}

test('every command that a message or help page mentions has a help page', () => {
  const commands = new Set(manifestCommands().map(({ words }) => words))
  const topics = new Set(helpPages().map(({ words }) => words))
  const guides = new Set<string>(GUIDES.map(guideCommand))
  const hasPage = (named: string) => {
    if (/^help\b/.test(named))
      return /^help(?: guides?)?$/.test(named) || guides.has(`partner ${named}`) || topics.has(named.slice(5))
    const words = named.split(' ')
    // A command name may be followed by other words, so a prefix is enough. A topic name must match completely.
    return topics.has(named) || [1, 2, 3].some((length) => commands.has(words.slice(0, length).join(' ')))
  }
  const lost = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    linesOfCode(file)
      .flatMap((line) => [...line.matchAll(/\bpartner ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+(?:-[a-z]+)*){0,2})/g)])
      .map(([, named = '']) => named)
      .filter((named) => !PROSE.test(named) && !hasPage(named))
      .map((named) => `${file}: partner ${named}`),
  )
  expect(lost).toEqual([])
})

test.each([
  ['giftcards cancel GIFT1-00000100-AAAA -p sandbox', 'partner giftcards cancel --help'],
  ['bookings get BK-1 --curl -p sandbox', 'partner bookings get --help'],
  ['giftcards sync --to x.ndjson -p sandbox', 'partner giftcards sync --help'],
  ['sandbox faults add --status 500', 'partner sandbox faults add --help'],
  ['reservations explain --people 2 --service Dinner --section x -p sandbox', 'partner reservations explain --help'],
  ['bookings lst', 'partner bookings --help'],
])('the hint for a wrong command line mentions the right help page: %s', async (line, page) => {
  const run = await runPartner([...words(line), '--json'], { env: freshHome() })
  expect(reportedError(run)).toMatchObject({ code: 'USAGE' })
  expect(reportedError(run).hint).toContain(page)
})

test.each([400, 401, 403, 404, 409, 429, 500])(
  'the hint after status %i mentions an existing command or page',
  async (status) => {
    const server = await startRawServer(() => answers(status, { message: 'No.' }))
    const { hint } = reportedError(await server.run(words('webhooks delete BOOKING_CREATED --yes --retries 0 --json')))
    expect(hint).toMatch(/\bpartner (?:help [a-z-]+|doctor|[a-z]+ [a-z]+)/)
  },
)
