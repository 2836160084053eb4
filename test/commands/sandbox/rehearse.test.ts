import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOLDEN, truthsOf } from '../../studio/rehearsal/rehearsed.ts'
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

describe('the hash of the journal', () => {
  test.each([
    [{ TZ: 'America/New_York', LANG: 'tr_TR.UTF-8' }, []],
    [{ TZ: 'Asia/Kolkata', LC_ALL: 'C' }, ['--faults', '50', '--webhook-faults', '20']],
  ])('is the same with %o and %o', async (env, args) => {
    const run = await rehearse(['--json', '--port', String(await freePort()), ...args], env)
    expect(run.code, run.stderr).toBe(0)
    expect(resultOf(run)).toMatchObject({ journalHash, day: date, seed })
  })

  test('is shown to people with what happened', async () => {
    const { code, stdout } = await rehearse([])
    expect(code).toBe(0)
    expect(stdout).toContain(`Rehearsed ${date}  seed ${seed}`)
    expect(stdout).toContain(journalHash)
    for (const word of ['walked in', 'refused as duplicates', 'redeemed', 'nobody has subscribed', 'no request came'])
      expect(stdout).toContain(word)
  })
})

describe('the copy of an integration', () => {
  test('that agrees is exit 0, and one with a hole exit 11, by its ID', async () => {
    const { now } = await truthsOf(date, seed)
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

  test('that cannot be read is told, and the hash all the same', async () => {
    const run = await rehearse(['--report', 'http://127.0.0.1:9/copy', '--settle', '0s', '--json'])
    expect(run.code).toBe(8)
    expect(resultOf(run)).toMatchObject({ journalHash, report: null })
    expect(reportedError(run).message).toMatch(/^--report: http:\/\/127\.0\.0\.1:9 cannot be read/)
  })

  test('is waited for', async () => {
    const { now } = await truthsOf(date, seed)
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

describe('a command beside it', () => {
  test('calls the venue, and its output goes to stderr', async () => {
    const list = `${TOOL_IN_SHELL} bookings list --from ${date} --json --limit 1`
    const run = await rehearse(['--wait', '--json', '--', 'sh', '-c', `${list} && exec sleep 100`])
    expect(run.code, run.stderr).toBe(0)
    expect(resultOf(run)).toMatchObject({ journalHash, command: { exitCode: null }, integration: { requests: 1 } })
  })

  test('that fails is exit 11', async () => {
    const run = await rehearse(['--wait', '--json', '--', 'sh', '-c', 'exit 7'])
    expect(run.code).toBe(11)
    expect(resultOf(run)).toMatchObject({ journalHash, command: { exitCode: 7 } })
    expect(reportedError(run).message).toContain('exit code 7')
  })

  test('ends with the rehearsal when that is interrupted', async () => {
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

describe('how long the day takes', () => {
  const started = async (...flags: readonly string[]) => {
    const running = startPartner([...DAY, ...flags, '--', 'sh', '-c', 'echo begun >&2; sleep 100'], {
      env: freshHome(),
      cwd: freshDirectory(),
    })
    await until(() => running.said.stderr.includes('begun'))
    running.process.kill('SIGINT')
    return (await running.ended).stderr
  }

  test('is said at the start when it takes minutes', async () => {
    expect(await started()).toMatch(/^the day takes about 15 minutes; --speed max plays it at once\n/)
    expect(await started('--speed', '900')).toMatch(/^the day takes about 1 minute\n/)
  })

  test('is not said of a fast day', async () => expect(await started('--speed', '5000')).not.toContain('minute'))
})

describe('at a terminal', () => {
  needs(TERMINAL)

  test('shows the time at the venue while the day is played', async () => {
    const args = [...DAY, '--speed', '20000', '--json', '--query', 'journalHash', '-r']
    const { screen, standing } = await runInTerminal(args, [[`${date} 1`, () => undefined]], freshHome())
    expect(screen).toMatch(/ \d\d:\d\d at the venue/)
    expect(standing.at(-1)).toBe(journalHash)
  })
})

test('a venue that is kept is that of the evening', async () => {
  const directory = join(freshDirectory(), 'venue')
  const env = freshHome()
  const run = await runPartner([...AT_ONCE, '--json', '--data', directory], { env })
  expect(run.code, run.stderr).toBe(0)
  expect(resultOf(run)).toMatchObject({ journalHash })
  const clock = await runPartner(['sandbox', 'clock', '--data', directory, '--json'], { env })
  expect(resultOf(clock)).toMatchObject({ frozen: true, now: expect.stringMatching(/^2026-12-18T1[0-2]:/) })
  const again = await runPartner([...AT_ONCE, '--data', directory], { env })
  expectRefusal(again, { code: 2, says: `--data ${directory} has a venue already` })
})

test('all that is wrong with a command line is told at once', async () => {
  const wrong: readonly (readonly [flag: string, value: string, words: string])[] = [
    ['--speed', '0', '--speed must be a number above 0'],
    ['--day', '2026-02-30', '--day: "2026-02-30" is no day'],
    ['--seed', '-1', '--seed must be a whole number'],
    ['--faults', '101', '--faults must be a share in percent'],
    ['--webhook-faults', 'x', '--webhook-faults must be a share in percent'],
    ['--webhooks', 'ftp://a.example', '--webhooks must be an http:// or https:// address'],
    ['--settle', '5s', '--settle needs --report'],
    ['--data', '', '--data must not be empty'],
  ]
  const args = wrong.flatMap(([flag, value]) => [flag, value])
  const run = await runPartner(['sandbox', 'rehearse', ...args, '--'], { env: freshHome() })
  for (const [, , says] of wrong) expectRefusal(run, { code: 2, says })
  expectRefusal(run, { code: 2, says: 'no command is given after --' })
})

test.each([
  [['--speed', '-5'], '--speed must be a number above 0'],
  [['--speed', 'abc'], '--speed must be a number above 0'],
  [['--webhooks', 'https://a.invalid/hook'], '--webhooks "https://a.invalid/hook" cannot be subscribed'],
  [['--report', ''], '--report must not be empty'],
  [['--', 'no-such-command'], '"no-such-command" cannot be run: there is no such command'],
])('%s is exit 2', async (args, says) => {
  expectRefusal(await runPartner(['sandbox', 'rehearse', ...args], { env: freshHome() }), { code: 2, says })
})
