import { dataDirectory } from '../../base/storage/directories.ts'
import { formatInZone } from '../../base/time/zone.ts'
import { endOperations } from '../../features/sandbox/open-operations.ts'
import { durationNotice, REHEARSAL_FLAGS, readRehearsalFlags } from '../../features/sandbox/rehearsal/flags.ts'
import {
  collectOutcome,
  type RehearsalOutcome,
  showOutcome,
  waitUntilCopyAgrees,
} from '../../features/sandbox/rehearsal/outcome.ts'
import { buildEnvironment, createErrorReporter } from '../../features/sandbox/serving.ts'
import { openRehearsal, type Rehearsal } from '../../studio/rehearsal/rehearsal.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { transientLine } from '../../terminal/output/bulk/transient-line.ts'
import { type BackgroundCommand, startInBackground } from '../../terminal/runtime/child/child-command.ts'
import { environmentOfChild } from '../../terminal/runtime/child/child-environment.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Host } from '../../terminal/runtime/host.ts'

export default class SandboxRehearse extends PartnerCommand {
  static override summary = 'Simulate a whole day at the restaurant in a few minutes, to test an integration.'
  static override description =
    `Guests book, arrive early or late, change tables, pay, or do not show up; gift cards are redeemed; webhooks are sent. All of this depends only on --seed and --day: the same values produce the same journal hash, on any machine and at any speed.

The day has its own venue. CMD runs during the day with the variables of sandbox exec, and is stopped when the day ends. Without CMD, point your integration to the printed address. --report compares the copy that your integration keeps with the venue; the exit code is 11 if they differ.`
  static override usage = 'sandbox rehearse [FLAGS] [-- CMD…]'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --day 2026-12-18 --speed max',
    '<%= config.bin %> <%= command.id %> --day 2026-12-18 --speed max --wait --report copy.db -- partner bookings sync --to copy.db --source venue --every 1s',
    '<%= config.bin %> <%= command.id %> --day 2026-12-18 --speed max --seed 7 --json --query journalHash',
  ]
  static override flags = REHEARSAL_FLAGS

  async run(): Promise<void> {
    const at = this.argv.indexOf('--')
    const [program, ...args] = at < 0 ? [] : this.argv.slice(at + 1)
    if (at >= 0) this.argv = this.argv.slice(0, at)
    const { flags, show, host, say, warn } = await this.open(SandboxRehearse)
    const problems = new Problems()
    if (at >= 0 && !program) problems.add('no command was given after --', 'for example: -- node integration.js')
    const settings = readRehearsalFlags(flags, host.now(), problems)
    const line = transientLine(host)
    const notice = durationNotice(settings, flags.speed !== undefined)
    let timezone = 'UTC'
    const rehearsal = await openRehearsal({
      ...settings,
      signal: host.signal,
      onMoved: (now) =>
        line.show(() => `${settings.day.date} ${formatInZone(now, timezone).slice(11, 16)} at the venue`),
      onUnexpected: createErrorReporter(warn),
    })
    timezone = rehearsal.sandbox.timezone
    const { baseUrl } = rehearsal.sandbox
    let beside: BackgroundCommand | null = null
    let outcome: RehearsalOutcome
    try {
      if (notice !== null) await say(notice)
      if (program) {
        const env = buildEnvironment(rehearsal.sandbox, await environmentOfChild(host))
        beside = await startInBackground(host, [program, ...args], env)
      } else if (flags.wait || settings.speed !== 'max') {
        const environment = `eval "$(partner sandbox env --base-url ${baseUrl})"`
        await say(`the venue is at ${baseUrl}; in another terminal: ${environment}`)
      }
      let exitCode: number | null = null
      const ended = beside?.ownExit.then((code) => {
        exitCode = code
      })
      if (flags.wait) await firstRequest(rehearsal, host, ended)
      await rehearsal.play()
      const { report, source = null } = flags
      const found =
        report === undefined ? null : await waitUntilCopyAgrees(rehearsal, host, report, source, settings.settleMs)
      outcome = collectOutcome(rehearsal, settings, { found, exitCode, hasCommand: beside !== null })
    } finally {
      line.clear()
      await beside?.end()
      await rehearsal.close()
      if (settings.data === ':memory:') endOperations(dataDirectory(host.env), [baseUrl], GONE)
    }
    await showOutcome(outcome, show)
  }
}

const GONE = 'the rehearsal has ended'

/**
 * Waits until the first request arrives or the started command exits. Throws the signal's reason if the signal is
 * aborted.
 */
async function firstRequest({ firstRequest }: Rehearsal, { signal }: Host, ended: Promise<void> | undefined) {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  await Promise.race([firstRequest, promise, ...(ended ? [ended] : [])])
}
