import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOLDEN, readVenueDataAroundDay } from '../../studio/rehearsal/rehearsed.ts'
import { needs } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner, TOOL_IN_SHELL } from '../../support/partner.ts'
import { answers, freePort, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const { date, seed, journalHash } = GOLDEN
const DAY = ['sandbox', 'rehearse', '--day', date, '--seed', String(seed)]
const AT_ONCE = [...DAY, '--speed', 'max']

async function rehearse(args: readonly string[], env = {}) {
  return runPartner([...AT_ONCE, ...args], { env: { ...freshHome(), ...env }, cwd: freshDirectory() })
}

const resultOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout)

describe('the journal hash of sandbox rehearse', () => {
  test.each([
    [{ TZ: 'America/New_York', LANG: 'tr_TR.UTF-8' }, []],
    [{ TZ: 'Asia/Kolkata', LC_ALL: 'C' }, ['--faults', '50', '--webhook-faults', '20']],
  ])('sandbox rehearse prints the same journal hash with variables %o and flags %o', async (env, args) => {
    const run = await rehearse(['--json', '--port', String(await freePort()), ...args], env)
    expect(run.code, run.stderr).toBe(0)
    expect(resultOf(run)).toMatchObject({ journalHash, day: date, seed })
  })

  test('sandbox rehearse prints the journal hash and a summary of the day', async () => {
    const { code, stdout } = await rehearse([])
    expect(code).toBe(0)
    expect(stdout).toContain(`Rehearsed ${date}  seed ${seed}`)
    expect(stdout).toContain(journalHash)
    for (const word of ['walked in', 'rejected as duplicates', 'redeemed', 'no subscriptions', 'no requests'])
      expect(stdout).toContain(word)
  })
})

describe('sandbox rehearse --report', () => {
  test('sandbox rehearse --report exits with code 11 and prints the ID of a record that the copy lacks', async () => {
    const { now } = await readVenueDataAroundDay(date, seed)
    const copy = join(freshDirectory(), 'copy.json')
    const compare = (bookings: readonly object[]) => {
      writeFileSync(copy, JSON.stringify(bookings))
      return rehearse(['--report', copy, '--settle', '0s', '--json'])
    }
    const whole = await compare(now.bookings)
    expect(whole.code, whole.stderr).toBe(0)
    expect(resultOf(whole)).toMatchObject({ journalHash, report: { agrees: true, missing: [] } })
    const lost = now.bookings.at(300) ?? {}
    const holed = await compare(now.bookings.filter((one) => one !== lost))
    expect(holed.code).toBe(11)
    const report = { agrees: false, missing: [{ resource: 'bookings', id: lost['bookingId'] }], extra: [], stale: [] }
    expect(resultOf(holed)).toMatchObject({ journalHash, report })
    expect(reportedError(holed).message).toBe('the copy differs from the venue: 1 missing, 0 stale, 0 extra')
    const shown = await rehearse(['--report', copy, '--settle', '0s'])
    expect(shown.stdout).toMatch(new RegExp(`^missing +bookings +${lost['bookingId']}`, 'm'))
  })

  test('sandbox rehearse --report prints the journal hash even if the copy cannot be read', async () => {
    const run = await rehearse(['--report', 'http://127.0.0.1:9/copy', '--settle', '0s', '--json'])
    expect(run.code).toBe(8)
    expect(resultOf(run)).toMatchObject({ journalHash, report: null })
    expect(reportedError(run).message).toMatch(/^--report: http:\/\/127\.0\.0\.1:9 cannot be read/)
  })

  test('sandbox rehearse --settle waits until the copy can be read', async () => {
    const { now } = await readVenueDataAroundDay(date, seed)
    const server = await startRawServer((_request, { length: asked }) =>
      asked > 1 ? answers(200, now) : answers(503, {}),
    )
    const run = await rehearse(['--report', `${server.baseUrl}/`, '--settle', '1m', '--json'])
    expect(run.code, run.stderr).toBe(0)
    const { report } = resultOf(run)
    expect(report.agrees).toBe(true)
    expect(report.resources.toSorted()).toEqual(['bookings', 'customers', 'giftcards', 'sales'])
  })
})

describe('the command that sandbox rehearse runs', () => {
  test("sandbox rehearse runs a command against the venue and sends the command's output to stderr", async () => {
    const list = `${TOOL_IN_SHELL} bookings list --from ${date} --json --limit 1`
    const run = await rehearse(['--wait', '--json', '--', 'sh', '-c', `${list} && exec sleep 100`])
    expect(run.code, run.stderr).toBe(0)
    expect(resultOf(run)).toMatchObject({ journalHash, command: { exitCode: null }, integration: { requests: 1 } })
  })

  test('sandbox rehearse exits with code 11 if its command fails', async () => {
    const run = await rehearse(['--wait', '--json', '--', 'sh', '-c', 'exit 7'])
    expect(run.code).toBe(11)
    expect(resultOf(run)).toMatchObject({ journalHash, command: { exitCode: 7 } })
    expect(reportedError(run).message).toContain('exited with code 7')
  })

  test('sandbox rehearse stops its command when interrupted', async () => {
    const directory = freshDirectory()
    const note = join(directory, 'pid')
    const running = startPartner([...DAY, '--speed', '60', '--', 'sh', '-c', `echo $$ > pid; exec sleep 100`], {
      env: freshHome(),
      cwd: directory,
    })
    const written = () => {
      try {
        return readFileSync(note, 'utf8').trim()
      } catch {
        return ''
      }
    }
    await until(() => written() !== '')
    running.process.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(() => process.kill(Number(written()), 0)).toThrow('ESRCH')
  })
})

describe('the duration that sandbox rehearse announces', () => {
  const started = async (...flags: readonly string[]) => {
    const running = startPartner([...DAY, ...flags, '--', 'sh', '-c', 'echo begun >&2; sleep 100'], {
      env: freshHome(),
      cwd: freshDirectory(),
    })
    await until(() => running.said.stderr.includes('begun'))
    running.process.kill('SIGINT')
    return (await running.ended).stderr
  }

  test('sandbox rehearse says at the start how many minutes the day will take', async () => {
    expect(await started()).toMatch(/^the day takes about 15 minutes; --speed max runs it without waiting\n/)
    expect(await started('--speed', '900')).toMatch(/^the day takes about 1 minute\n/)
  })

  test('sandbox rehearse does not print a duration if the day will take less than a minute', async () =>
    expect(await started('--speed', '5000')).not.toContain('minute'))
})

describe('sandbox rehearse at a terminal', () => {
  needs(TERMINAL)

  test("sandbox rehearse shows the venue's local time as the day progresses", async () => {
    const args = [...DAY, '--speed', '20000', '--json', '--query', 'journalHash', '-r']
    const { screen, standing } = await runInTerminal(args, [[`${date} 1`, () => undefined]], freshHome())
    expect(screen).toMatch(/ \d\d:\d\d at the venue/)
    expect(standing.at(-1)).toBe(journalHash)
  })
})

test("sandbox rehearse --data saves the venue's state at the end of the day to a new directory", async () => {
  const directory = join(freshDirectory(), 'venue')
  const env = freshHome()
  const run = await runPartner([...AT_ONCE, '--json', '--data', directory], { env })
  expect(run.code, run.stderr).toBe(0)
  expect(resultOf(run)).toMatchObject({ journalHash })
  const clock = await runPartner(['sandbox', 'clock', '--data', directory, '--json'], { env })
  expect(resultOf(clock)).toMatchObject({ frozen: true, now: expect.stringMatching(/^2026-12-18T1[0-2]:/) })
  const again = await runPartner([...AT_ONCE, '--data', directory], { env })
  expectRefusal(again, { code: 2, says: `--data ${directory} already has a venue` })
})

test('sandbox rehearse reports all command-line problems together', async () => {
  const wrong: readonly (readonly [flag: string, value: string, words: string])[] = [
    ['--speed', '0', '--speed must be a number above 0'],
    ['--day', '2026-02-30', '--day: "2026-02-30" is not a date'],
    ['--seed', '-1', '--seed must be a whole number'],
    ['--faults', '101', '--faults must be a percentage'],
    ['--webhook-faults', 'x', '--webhook-faults must be a percentage'],
    ['--webhooks', 'ftp://a.example', '--webhooks must be an http:// or https:// address'],
    ['--settle', '5s', '--settle needs --report'],
    ['--data', '', '--data must not be empty'],
  ]
  const args = wrong.flatMap(([flag, value]) => [flag, value])
  const run = await runPartner(['sandbox', 'rehearse', ...args, '--'], { env: freshHome() })
  for (const [, , says] of wrong) expectRefusal(run, { code: 2, says })
  expectRefusal(run, { code: 2, says: 'no command was given after --' })
})

test.each([
  [['--speed', '-5'], '--speed must be a number above 0'],
  [['--speed', 'abc'], '--speed must be a number above 0'],
  [['--webhooks', 'https://a.invalid/hook'], 'the service rejected --webhooks "https://a.invalid/hook"'],
  [['--report', ''], '--report must not be empty'],
  [['--', 'no-such-command'], '"no-such-command" cannot be run: there is no such command'],
])('sandbox rehearse exits with code 2 for %s', async (args, says) => {
  expectRefusal(await runPartner(['sandbox', 'rehearse', ...args], { env: freshHome() }), { code: 2, says })
})
