import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { skipWithout } from '../support/needs.ts'
import { canRun, commandsOn, filesOn, PageSession, withoutVaryingParts } from '../support/page-session.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'
import { freePort } from '../support/raw-server.ts'
import { until } from '../support/until.ts'
import { unixOnly } from '../support/windows.ts'

/**
 * Returns whether advancing the clock by 20 minutes could move it past midnight at the sandbox's venue. At midnight,
 * the venue closes its day, which changes bookings.
 */
function isLateAtTheVenue(): boolean {
  return new Date().toLocaleTimeString('sv', { timeZone: 'Australia/Sydney' }) > '23:30:00'
}

/** Pages whose commands cannot all run in Wine, with the reasons. */
const NOT_IN_WINE: Readonly<Record<string, string>> = {
  'certify.md': 'its integration uses fetch, which cannot connect in Wine',
  'rehearsal.md': 'its integration uses fetch, which cannot connect in Wine',
}

test.for<readonly [string, number]>([
  ['agents.md', 16],
  ['certify.md', 4],
  ['sandbox.md', 25],
  ['snapshots.md', 8],
  ['money.md', 8],
  ['monitor.md', 10],
  ['api.md', 1],
  ['environment.md', 6],
  ['exit-codes.md', 2],
  ['money-units.md', 2],
  ['openapi.md', 1],
  ['output.md', 6],
  ['times.md', 2],
  ['rehearsal.md', 5],
  ['statement.md', 9],
  ['support.md', 2],
  ['sync.md', 13],
  ['database.md', 3],
  ['drift.md', 3],
  ['doctor.md', 2],
  ['import.md', 3],
  ['night-report.md', 6],
  ['many-venues.md', 6],
  ['table-names.md', 4],
  ['reconcile.md', 7],
  ['timeline.md', 6],
  ['unattended.md', 20],
  ['webhooks.md', 20],
])('every command on docs/%s does what the page shows', { timeout: 240_000 }, async ([name, atLeast], context) => {
  skipWithout(context, { isMet: name !== 'webhooks.md' || !isLateAtTheVenue(), lack: 'it is late at the venue' })
  const lack = NOT_IN_WINE[name]
  if (lack !== undefined) skipWithout(context, unixOnly(lack))
  const page = readFileSync(join(ROOT, 'docs', name), 'utf8')
  const home = freshDirectory()
  const ports = new Map([
    ['4010', String(await freePort())],
    ['4011', String(await freePort())],
  ])
  const session = new PageSession(home, ports.get('4011') ?? '')
  onTestFinished(() => session.end())
  if (/With\s`export PARTNER_PROFILE=sandbox`/.test(page)) await session.run('export PARTNER_PROFILE=sandbox')
  const here = (text: string) => text.replace(/\b401[01]\b/g, (port) => ports.get(port) ?? port)
  for (const file of filesOn(page)) writeFileSync(join(home, file.name), here(file.text))
  const shown = commandsOn(page)
  expect(shown.length).toBeGreaterThan(atLeast)
  for (const { command, output } of shown.filter(({ command }) => canRun(command))) {
    const expected = withoutVaryingParts(output, home)
    let printed = ''
    const printsExpected = async () => {
      printed = withoutVaryingParts(await session.run(here(command)), home)
      return printed === expected
    }
    // Another program may still be writing the file that grep reads.
    if (command.startsWith('grep ')) await until(printsExpected).catch(() => {})
    else await printsExpected()
    expect(`$ ${command}\n${printed}`).toBe(`$ ${command}\n${expected}`)
  }
})
