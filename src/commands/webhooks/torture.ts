import { Failure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { ANSWER_TIMEOUT_MS } from '../../contract/events.ts'
import { checkList, knownCheckList } from '../../features/webhooks/check-views.ts'
import { CREDENTIAL_FLAGS } from '../../features/webhooks/sending/input.ts'
import { chooseTarget } from '../../features/webhooks/sending/target.ts'
import { REPORT_OUTPUT_FLAGS, repeated, requiredFlag, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { openTarget } from '../../webhooks/listener/target.ts'
import type { Check } from '../../webhooks/torture/check.ts'
import { ReceiverUnderTest } from '../../webhooks/torture/receiver-under-test.ts'
import { allChecks, type CheckResult, SAMPLES_ARE_ABOUT, torture } from '../../webhooks/torture/torture.ts'

/** The maximum time to wait for a response, in milliseconds. Later responses are ignored. */
const PATIENCE_MS = 15_000
const ALL_WITHIN_MS = 60_000

export default class WebhooksTorture extends PartnerCommand {
  static override summary = 'Test how a receiver handles the difficult deliveries that it will eventually get.'
  static override description =
    'The command sends sample events that are repeated, late, out of order, simultaneous, too large, too slow or malformed, or that have wrong credentials. The exit code is 11 if a check fails. If the receiver does not accept a plain delivery, the other checks do not run. The checks take at most one minute: if a slow receiver uses up that time, the remaining checks are skipped, and the exit code is 13 unless a check failed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --to http://127.0.0.1:4011/hooks --dry-run',
    'HOOK_KEY=k-815 <%= config.bin %> <%= command.id %> --to https://till.example/hooks --security-key env:HOOK_KEY --only duplicate --only wrong-credentials --dry-run',
  ]
  static override baseFlags = REPORT_OUTPUT_FLAGS
  static override flags = {
    to: requiredFlag('URL', 'The receiver; over plain http, credentials are sent only to this machine.'),
    only: repeated({ helpValue: 'CHECK', summary: 'Run only this check (--dry-run lists them). May be repeated.' }),
    'dry-run': toggle('List the checks instead of running them.'),
    ...CREDENTIAL_FLAGS,
  }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksTorture)
    const { flags, host, show } = opened
    const problems = new Problems()
    const checks = chosen(allChecks(ANSWER_TIMEOUT_MS), flags.only ?? [], problems)
    if (flags['dry-run'] && (flags.output === 'junit' || flags.output === 'tap'))
      problems.add(`--dry-run and -o ${flags.output} cannot be used together`, 'omit one of them')
    const { url, headers: credentials } = await chooseTarget(flags, opened, problems)
    const known = checks.map(({ name, good }) => ({ check: name, good }))
    if (flags['dry-run']) return show.all(known, knownCheckList)
    const target = await openTarget(url, host.env)
    try {
      const receiver = new ReceiverUnderTest({
        ...{ target, credentials, signal: host.signal },
        ...{ answerWithinMs: ANSWER_TIMEOUT_MS, patienceMs: PATIENCE_MS },
        endsAt: monotonicMs() + ALL_WITHIN_MS,
      })
      const results: CheckResult[] = []
      const begin = (check: string) => host.waiting.begin(progress(check, results.length, checks.length))
      const checked = collectResults(torture(receiver, checks, begin), results, opened)
      await show.checks(checked, checkList, 'webhooks torture')
      const failed = results.filter(({ result }) => result === 'fail')
      if (failed.length > 0) throw someFailed(failed, results)
      if (receiver.skippedForTime.length > 0) throw outOfTime(receiver.skippedForTime, results.length)
    } finally {
      await target.close()
    }
  }
}

/** Returns the requested checks, or all checks if none are requested, in execution order. */
function chosen(all: readonly Check[], asked: readonly string[], problems: Problems): readonly Check[] {
  const names = all.map(({ name }) => name)
  for (const typed of asked.filter((name) => !names.includes(name))) {
    const near = findNearest(typed, names)
    problems.add(
      `--only: there is no check named ${JSON.stringify(typed)}${near === null ? '' : `; did you mean ${near}?`}`,
      `use ${names.join(', ')}; nothing was sent`,
    )
  }
  return asked.length === 0 ? all : all.filter(({ name }) => asked.includes(name))
}

/** Yields the results and also collects them in `kept`. Before the first result, prints that all events are samples. */
async function* collectResults(
  results: AsyncGenerator<CheckResult>,
  kept: CheckResult[],
  { say }: Pick<RunParts, 'say'>,
) {
  for await (const checked of results) {
    if (kept.length === 0)
      await say(
        `all events are samples (test data) about ${SAMPLES_ARE_ABOUT}; the receiver may request these records from the service`,
      )
    kept.push(checked)
    yield checked
  }
}

function progress(check: string, done: number, of: number): string {
  return `testing the receiver: ${check}, ${done} of ${of} checks done, at most ${ALL_WITHIN_MS / 1000} s`
}

function outOfTime(names: readonly string[], of: number): Failure {
  return new Failure(
    'INCOMPLETE',
    `${names.length} of ${of} checks were skipped for lack of time: ${names.join(', ')}`,
    {
      hint: `the receiver is slow; run only the skipped checks: ${names.map((name) => `--only ${name}`).join(' ')}`,
      details: { untried: names, of },
    },
  )
}

function someFailed(failed: readonly CheckResult[], results: readonly CheckResult[]): Failure {
  const names = failed.map(({ check }) => check)
  const isDeaf = names.includes('plain')
  return new Failure('PARTIAL_FAILURE', `${failed.length} of ${results.length} checks failed: ${names.join(', ')}`, {
    lines: failed.map(({ check, good, yours }) => `${check}: ${yours}; a correct receiver answers ${good}`),
    hint: isDeaf
      ? 'the other checks need a receiver that accepts a plain delivery: check the path of --to, and add --security-key if the receiver requires a key'
      : 'docs/receivers contains small receivers that pass every check',
    details: { failed: names, of: results.length },
  })
}
