import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { getCurrentMoment } from '../../../src/money/operations/moment.ts'
import { OperationStore } from '../../../src/money/operations/store.ts'
import { DATE, HARBOUR, KIOSK, lastingDirectory, QUOTED, writeGroup } from '../../features/night/group.ts'
import { freshDirectory, type Run, runPartner } from '../../support/partner.ts'
import { expectClean, expectRefusal } from '../../support/refusal.ts'
import { configureVenues } from '../../support/venues.ts'

const home = lastingDirectory()
const env = { PARTNER_CONFIG_DIR: join(home, 'config'), PARTNER_DATA_DIR: join(home, 'data') }
const copy = join(home, 'group.db')
beforeAll(() => writeGroup(copy))

function night(...args: readonly string[]): Promise<Run> {
  return runPartner(['report', 'night', '--copy', copy, '--date', DATE, ...args], { env, cwd: home })
}

test('report night prints a page with totals for all venues, followed by a page for each venue', async () => {
  const run = await night()
  expect(run).toMatchObject({ code: 0 })
  expectClean(run)
  expect(run.stdout).toMatch(/^harbour {2}Sat 2026-11-21, 05:00 to 05:00 the next day, Australia\/Sydney$/m)
  expect(run.stdout).toMatch(/^All venues[\s\S]*^harbour {2}/m)
  expect(run.stdout).toMatch(
    /^ {2}VENUE +COVERS +TAKINGS [\s\S]*^ {2}harbour +39 +126\.80 [\s\S]*^ {2}all venues +61 +126\.80, AED 355\.00 /m,
  )
  expect(run.stdout).not.toMatch(/covers-|-of-the-group|sync-lag|without-a-sale/)
  expect(run.stdout).toMatch(/^ {2}Covers +39 in 9 bookings$/m)
  expect(run.stdout).toMatch(/^ {2}Takings +126\.80 in 5 sales, 1 of them without a total$/m)
  expect(run.stdout).toMatch(/^ {2}Takings +AED 355\.00 in 2 sales$/m)
  expect(run.stdout).toMatch(/^ {2}Seated without a sale +not in this copy$/m)
  expect(run.stdout).toMatch(/^ {2}Dinner +22 +3 +3 +2 +█+$/m)
  expect(run.stdout).toMatch(/^ {2}Copy ends too early +for bookings and sales$/m)
  expect(run.stdout).toMatch(/^All venues {2}Sat 2026-11-21, 6 venues$/m)
  expect(run.stdout).toMatch(/^ {2}Covers +61 in 13 bookings$/m)
  expect(run.stderr).toBe(
    `warning: the time zone of ${QUOTED} is unknown, so UTC is used; set it with partner profiles set NAME --timezone ZONE, and sync again\n`,
  )
})

test('report night -o csv prints one row per figure, with a note for a figure that the copy lacks', async () => {
  const { stdout } = await night('-o', 'csv', '--source', KIOSK, '--source', HARBOUR)
  expect(stdout.split('\n')[0]).toBe('source,date,figure,item,value,unit,note')
  expect(stdout).toContain('\nharbour,2026-11-21,covers,,39,people,\n')
  expect(stdout).toContain('\nkiosk,2026-11-21,seated-without-a-sale,,,bookings,not in this copy\n')
  expect(stdout).toContain('\nharbour,2026-11-21,deposits-due,AUD,79333,cents AUD,\n')
  expect(stdout).toContain('\n,2026-11-21,covers-of-the-group,,42,people,\n')
})

test('report night lists an open operation under its venue, or in the group totals if its venue is not in the report', async () => {
  const data = join(freshDirectory(), 'data')
  mkdirSync(data)
  const store = OperationStore.open(OperationStore.pathIn(data))
  for (const profile of [HARBOUR, 'elsewhere']) {
    const intent = { command: 'giftcards redeem', service: 'https://a.example', cents: 500n, profile }
    const { id } = store.claim({ ...intent, target: `GIFT1-${profile}` }, 1000, getCurrentMoment(), false)
    store.markSending(id, null, getCurrentMoment())
  }
  store.close()
  const run = await runPartner(['report', 'night', '--copy', copy, '--date', DATE, '--json'], {
    env: { ...env, PARTNER_DATA_DIR: data },
  })
  const { venues, group } = JSON.parse(run.stdout)
  expect(group).toMatchObject({ openOperations: 1, elsewhere: [{ target: 'GIFT1-elsewhere' }] })
  const expected = [{ target: 'GIFT1-harbour', amount: '5.00', state: 'open' }]
  expect(venues.find(({ source }: { source: string }) => source === HARBOUR).openOperations).toMatchObject(expected)
})

test("report night without --date reports on each venue's last complete business day", async () => {
  const run = await runPartner(['report', 'night', '--copy', copy, '--json'], { env })
  const { venues, madeAt } = JSON.parse(run.stdout) as {
    madeAt: string
    venues: { startsAt: string; endsAt: string; isOver: boolean }[]
  }
  for (const { startsAt, endsAt, isOver } of venues) {
    expect(isOver).toBe(true)
    expect(endsAt <= madeAt && endsAt > startsAt).toBe(true)
    expect(Date.parse(madeAt) - Date.parse(endsAt)).toBeLessThan(25 * 3_600_000)
  }
})

test('report night warns about a status code that matches no booking', async () => {
  const { code, stderr } = await night('--no-show', 'NOSHOWW', '--seated', 'seated', '--source', HARBOUR)
  expect(code).toBe(0)
  expect(stderr).toBe(
    'warning: --no-show "NOSHOWW": no booking in the copy has this status; to list the codes: partner bookings statuses\n',
  )
})

describe('report night --html', () => {
  test('report night --html writes a private page and replaces an existing file only with --yes', async () => {
    const html = join(freshDirectory(), 'night.html')
    const made = await night('--html', html)
    expect(made).toMatchObject({ code: 0 })
    expect(made.stderr).toContain(`wrote ${html}: open it in a browser to print it\n`)
    expect(statSync(html).mode & 0o777).toBe(0o600)
    const before = readFileSync(html, 'utf8')
    expect(before).toMatch(/^<!doctype html>\n<html lang="en">/)
    expectRefusal(await night('--html', html), { code: 2, says: /--html: .+ already exists/, next: /--yes/ })
    chmodSync(html, 0o644)
    expect(await night('--html', html, '--yes', '--source', HARBOUR)).toMatchObject({ code: 0 })
    expect(readFileSync(html, 'utf8')).not.toBe(before)
    expect(statSync(html).mode & 0o777).toBe(0o600)
  })

  test('report night --html exits with code 2 before reading the copy if the page cannot be written', async () => {
    const directory = freshDirectory()
    symlinkSync('nowhere', join(directory, 'link.html'))
    for (const [html, says] of [
      [directory, /is a directory/],
      [join(directory, 'link.html'), /is a symbolic link/],
      [join(directory, 'none', 'a.html'), /cannot be written to .+no such file or directory/],
      ['', /--html must not be empty/],
      ['-', /--html must name a file, not -/],
    ] as const)
      expectRefusal(await night('--html', html, '--yes'), { code: 2, says })
    expectRefusal(await night('--html', 'a.html', '--sql'), { code: 2, says: /--sql and --html/ })
    expect(readdirSync(directory)).toEqual(['link.html'])
  })
})

describe('report night --copy with an invalid target', () => {
  test('report night refuses an invalid copy and creates nothing', async () => {
    const directory = freshDirectory()
    const at = (name: string) => join(directory, name)
    mkdirSync(at('folder.db'))
    writeFileSync(at('empty.db'), '')
    writeFileSync(at('text.db'), 'no database at all')
    const other = new DatabaseSync(at('other.db'))
    other.exec('CREATE TABLE things (a)')
    other.close()
    for (const [name, says] of [
      ['none.db', /--copy .+none\.db cannot be read: no such file or directory/],
      ['folder.db', /--copy .+folder\.db is a directory/],
      ['empty.db', /empty\.db does not contain a copy/],
      ['text.db', /text\.db is not a SQLite database/],
      ['other.db', /other\.db is another program's database/],
      ['bookings.ndjson', /must be a database: x\.db, or postgres/],
    ] as const)
      expectRefusal(await runPartner(['report', 'night', '--copy', at(name)], { env }), { code: 2, says })
    expect(existsSync(at('none.db'))).toBe(false)
    expect(readdirSync(directory).sort()).toEqual(['empty.db', 'folder.db', 'other.db', 'text.db'])
    const lost = await runPartner(['report', 'night', '--copy', 'postgres://nobody@127.0.0.1:1/venue'], { env })
    expectRefusal(lost, { code: 8, says: /cannot reach PostgreSQL at 127\.0\.0\.1:1/ })
    const secret = await runPartner(['report', 'night', '--copy', 'postgres://a:hunter2@127.0.0.1/venue'], { env })
    expectRefusal(secret, { code: 2, says: /--copy/, secrets: ['hunter2'] })
  })
})

test('report night reports all command-line problems together', async () => {
  const args = ['--copy', copy, '--day-starts', '25:00', '--no-show', '', '--source', ' ', '--date', 'soonish']
  const wrong = await runPartner(['report', 'night', ...args], { env })
  const problem = /--day-starts must be a time from 00:00 to 12:00[\s\S]*--source must not be empty/
  expectRefusal(wrong, { code: 2, says: problem })
  expect(wrong.stderr).toMatch(/--date/)
  const aTime = await runPartner(['report', 'night', '--copy', copy, '--date', '2026-11-21 19:00'], { env })
  expectRefusal(aTime, { code: 2, says: /is a time, not a day/, next: /use a day, such as 2026-11-20 or yesterday/ })
  const says = /the copy does not contain the venue "harbor"/
  expectRefusal(await night('--source', 'harbor'), { code: 2, says, next: /it contains .*"harbour"/ })
})

test('report night --profiles selects the venues in a copy by their profiles', async () => {
  const { env: here } = configureVenues([
    { name: 'harbour', baseUrl: 'https://one.example', tags: ['north'] },
    { name: 'elsewhere', baseUrl: 'https://two.example' },
  ])
  const nightOf = (choice: string, ...more: string[]) =>
    runPartner(['report', 'night', '--copy', copy, '--profiles', choice, ...more], { env: here })
  const north = await nightOf('tag:north', '--json', '--query', 'venues[].source')
  expect({ code: north.code, sources: JSON.parse(north.stdout) }).toEqual({ code: 0, sources: ['harbour'] })
  expectRefusal(await nightOf('elsewhere'), { code: 2, says: /the copy does not contain the venue "elsewhere"/ })
  expectRefusal(await nightOf('nobody'), { code: 4, says: /there is no profile "nobody" \(from --profiles\)/ })
  expectRefusal(await nightOf('tag:south'), { code: 2, says: /no profile has the tag "south"/ })
  expectRefusal(await nightOf('all', '--source', 'harbour'), { code: 2, says: /--source and --profiles/ })
})
