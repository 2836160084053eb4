import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { Failure } from '../base/failure/failure.ts'
import type { JsonObject } from '../base/json/exact.ts'
import { WireRecord } from '../base/json/list/wire-record.ts'
import { cronVariables, lostToCron } from '../features/support/doctor/cron.ts'
import { examine } from '../features/support/doctor/doctor.ts'
import { fail } from '../features/support/doctor/finding.ts'
import { summaryLine, venueRow } from '../features/support/doctor/summary.ts'
import { doctorCard, doctorLines, doctorList, doctorVenues } from '../features/support/doctor/views.ts'
import type { DoctorRow } from '../features/support/output.ts'
import { targetKind } from '../sync/open-target.ts'
import { parseEffort, USUAL_STEP_MS } from '../terminal/input/command-line.ts'
import { EXAMINE_FLAGS, MANY_FLAGS, repeated, toggle } from '../terminal/input/flags.ts'
import { Problems } from '../terminal/input/problems.ts'
import { linesApart } from '../terminal/runtime/child/child-lines.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'
import { surroundingsOf } from '../terminal/runtime/host.ts'
import type { Opened } from '../terminal/runtime/run.ts'

export default class Doctor extends PartnerCommand {
  static override summary = 'Look at everything between this machine and the service, and say what is wrong.'
  static override description =
    'Begin with the first row that failed: what follows from it is skipped. It only reads, each endpoint once. The exit code is 1 when a row failed. --timeout is for each step (default: 10s). With --profiles there is one row for each venue; -v adds all that was looked at.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile sandbox',
    '<%= config.bin %> <%= command.id %> --profile sandbox --json --query "rows[?status==\'fail\'].name"',
    '<%= config.bin %> <%= command.id %> --profile sandbox --cron --sync bookings.ndjson',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...EXAMINE_FLAGS }
  static override flags = {
    cron: toggle('Look as a job of cron would: with next to no variables, and without a terminal.'),
    sync: repeated({ helpValue: 'TARGET', summary: 'A copy to look at, as --to of a sync names it. May be repeated.' }),
  }

  async run(): Promise<number> {
    const opened = await this.open(Doctor)
    const { flags, host, say } = opened
    const { timeoutMs } = parseEffort(flags, this.argv)
    await checkTargets(flags.sync ?? [])
    const rows = flags.cron
      ? rowsOfCron(opened)
      : examine({
          around: surroundingsOf(host, flags.verbose === true),
          profile: flags.profile,
          baseUrl: flags['base-url'],
          timeoutMs: timeoutMs ?? USUAL_STEP_MS,
          syncTargets: flags.sync ?? [],
        })
    const seen: DoctorRow[] = []
    const coming = noted(rows, seen, opened)
    if (host.venue !== undefined && opened.show.isPlain) await showInARow(coming, seen, opened)
    else {
      await show(coming, opened)
      await say(summaryLine(seen))
    }
    return seen.some(({ status }) => status === 'fail') ? 1 : 0
  }
}

type Parts = Opened<
  {
    readonly cron?: boolean | undefined
    readonly sync?: string[] | undefined
    readonly timeout?: string | undefined
    readonly verbose?: boolean
  },
  object
>

/** Fails: USAGE with every name that is that of no copy. */
async function checkTargets(names: readonly string[]): Promise<void> {
  const problems = new Problems()
  for (const name of names)
    try {
      await targetKind(name)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'USAGE') throw error
      problems.add(error.words.replace(/^--to\b/, `--sync ${JSON.stringify(name)}`))
    }
  problems.throwIfAny('such as --sync bookings.ndjson, --sync venue.db or --sync postgres://reports@db.example/venue')
}

/** Passes rows on as they come, and keeps them; says meanwhile that something is done. */
async function* noted(
  rows: AsyncIterable<DoctorRow>,
  seen: DoctorRow[],
  { host }: Pick<Parts, 'host'>,
): AsyncGenerator<DoctorRow> {
  const iterator = rows[Symbol.asyncIterator]()
  try {
    for (;;) {
      const over = host.waiting.begin(`looking: ${seen.length} rows so far`)
      const step = await iterator.next().finally(over)
      if (step.done) return
      seen.push(step.value)
      yield step.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** One row for a venue of many; with `--verbose`, what was looked at there follows. */
async function showInARow(
  rows: AsyncIterable<DoctorRow>,
  seen: readonly DoctorRow[],
  { flags, show, host }: Parts,
): Promise<void> {
  const lines: string[] = []
  for await (const text of doctorLines(rows, host.stdoutScreen)) lines.push(text)
  await show.one(venueRow(seen), { card: doctorCard, list: doctorVenues })
  if (flags.verbose) for (const text of lines) await show.text(text)
}

/** A line for each row as it comes; for a program, one object with all of them. */
async function show(rows: AsyncIterable<DoctorRow>, { show, host }: Parts): Promise<void> {
  if (show.isPlain) {
    for await (const text of doctorLines(rows, host.stdoutScreen)) await show.text(text)
    return
  }
  if (show.format === 'json' || show.isQueried) {
    const all: JsonObject[] = []
    for await (const row of rows) all.push({ ...row })
    return show.one({ rows: all }, { card: doctorCard, list: doctorList })
  }
  const records = async function* () {
    for await (const row of rows) yield [WireRecord.of({ ...row })]
  }
  await show.list(records(), doctorList)
}

/** What a job of cron would see: first what it lacks, then the rows of a run that lacks it. */
async function* rowsOfCron({ flags, host }: Parts): AsyncGenerator<DoctorRow> {
  const words = [process.execPath, resolve(process.argv[1] ?? '')] as const
  const syncTargets = flags.sync ?? []
  yield* lostToCron({ env: host.env, words, syncTargets, cwd: process.cwd() })
  const given = [
    ...(['profile', 'base-url', 'timeout'] as const).flatMap((name) => {
      const value = flags[name]
      return value === undefined ? [] : [`--${name}`, value]
    }),
    ...syncTargets.flatMap((name) => ['--sync', name]),
    flags.verbose ? '--verbose' : '--quiet',
  ]
  const lines = linesApart({
    words: [...words, 'doctor', '--output', 'ndjson', ...given],
    env: cronVariables(host.env),
    cwd: host.env['HOME'] || homedir(),
    signal: host.signal,
  })
  for (;;) {
    const { value, done } = await lines.next()
    if (!done) yield JSON.parse(value) as DoctorRow
    else {
      if (value !== 0 && value !== 1)
        yield fail('cron', `as a job of cron, doctor ended with exit ${value ?? 'by a signal'}`, 'partner doctor')
      return
    }
  }
}
