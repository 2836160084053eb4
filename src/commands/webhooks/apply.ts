import { usageFailure } from '../../base/failure/failure.ts'
import { openBulkCalls } from '../../client/bulk/bulk-caller.ts'
import { refuseReadOnly } from '../../client/write-policy.ts'
import { createWebhook, listWebhooks } from '../../contract/webhooks.ts'
import { counted } from '../../features/shared/views/wording.ts'
import { madeChangesList, plannedChangesList } from '../../features/webhooks/subscription-views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { CHECKED_CALL_FLAGS, toggle } from '../../terminal/input/flags.ts'
import { interruptible } from '../../terminal/input/interruptible.ts'
import { stopGracefully } from '../../terminal/output/bulk/graceful-stop.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { type ChangeResult, type ChangeWork, makeChanges } from '../../webhooks/subscriptions/apply.ts'
import { readCredentials } from '../../webhooks/subscriptions/credentials.ts'
import { readSubscriptions } from '../../webhooks/subscriptions/file/read.ts'
import {
  type Change,
  type ChangePlan,
  planChanges,
  readCurrentSubscriptions,
} from '../../webhooks/subscriptions/plan.ts'
import { failureOf, planCounts, planRecord, resultCounts, resultRecord } from '../../webhooks/subscriptions/summary.ts'

export default class WebhooksApply extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Make the subscriptions match a file.'
  static override description =
    `The file is YAML or JSON: a list of {event, webhookUrl, securityKey, securityToken}. The last two are optional, and are given as env:VARIABLE or file:PATH.

The command reads the current subscriptions, prints the plan, then creates and updates the subscriptions that differ; a second run changes nothing. It compares the event, the URL and whether there are credentials. Credentials cannot be read back: they are sent with a new subscription, with a changed URL, if the subscription has none yet, and with --rotate.

If a change fails, the others are still made, and the exit code is 11. With --dry-run, the command only reads the subscriptions and prints the plan.`
  static override usage = 'webhooks apply FILE|- [FLAGS]'
  static override examples = [
    `echo '[{"event":"BOOKING_UPDATED","webhookUrl":"https://pos.example.com/hooks"}]' | <%= config.bin %> <%= command.id %> - --prune --dry-run`,
    `printf '%s\\n' '- event: BOOKING_CREATED' '  webhookUrl: https://pos.example.com/hooks' > hooks.yaml && <%= config.bin %> <%= command.id %> hooks.yaml`,
  ]
  static override args = { file: requiredArgument('YAML or JSON file with the subscriptions, or - for standard input') }
  static override baseFlags = CHECKED_CALL_FLAGS
  static override flags = {
    prune: toggle('Delete subscriptions that the file does not list; asks first and needs --yes without a terminal.'),
    rotate: toggle('Also send the credentials of subscriptions that have not changed.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksApply)
    const { args, flags, host, service, connection, warn, ask } = opened
    const { prune, rotate } = flags
    if (flags.curl) throw usageFailure(['--curl shows a single request, but this command makes several'])
    if (prune && !flags.yes && !service.isDryRun && !host.canAsk)
      throw usageFailure(
        ['--prune deletes subscriptions, and deletions must be confirmed at a terminal'],
        'add --yes; nothing was sent',
      )
    const file = await interruptible((signal) => {
      const isChecked = !flags['no-validate']
      return readSubscriptions(args.file, { isChecked, signal, standardInput: () => process.stdin })
    })
    const reading = { warn: (line: string) => void warn(line), signal: host.signal }
    const credentials = await readCredentials(file, host.env, reading, (secret) => host.stderr.hide(secret))
    const { extraQuery = [] } = service.complete(createWebhook, {})
    if (!service.isDryRun) refuseReadOnly(await connection.session())
    const standing = readCurrentSubscriptions(await service.readAll(listWebhooks, { extraQuery }))
    const plan = planChanges(file.subscriptions, standing, { prune, rotate })
    await this.#showPlan(opened, plan, file.name)
    if (service.isDryRun) return
    const doomed = plan.changes.filter(({ action }) => action === 'delete').map(({ event }) => event)
    const [subscription, them] = doomed.length === 1 ? ['subscription', 'it'] : ['subscriptions', 'them']
    if (doomed.length > 0)
      await ask.confirm(`Delete the ${subscription} for ${doomed.join(', ')}? ${file.name} does not list ${them}.`)
    const credentialsOf = ({ desired }: Change) => (desired && credentials.get(desired)) ?? {}
    await this.#make(opened, plan, { credentialsOf, extraQuery })
  }

  /**
   * Prints the plan and lists the subscriptions that are not in the file. Unless this is a dry run, JSON and CSV output
   * contains only the results.
   */
  async #showPlan({ show, say, service }: RunParts, { changes, left }: ChangePlan, name: string): Promise<void> {
    if (show.isPlain || service.isDryRun) await show.all(changes.map(planRecord), plannedChangesList)
    if (left.length > 0)
      await say(
        `${counted(left.length, 'subscription', 'subscriptions')} not in ${name}: ${left.join(', ')}; use --prune to delete`,
      )
    if (service.isDryRun) await say(`${planCounts(changes)}; nothing was changed`)
  }

  /** Sends the planned changes and prints their results. Throws PARTIAL_FAILURE, INTERRUPTED or OUTCOME_UNKNOWN. */
  async #make(
    { host, service, connection, show, say }: RunParts,
    { changes }: ChangePlan,
    sent: Pick<ChangeWork, 'credentialsOf' | 'extraQuery'>,
  ): Promise<void> {
    const isOpen = changes.some(({ action }) => action !== 'unchanged')
    const { caller } = isOpen ? await service.writeSession() : await connection.session()
    const stop = stopGracefully(host)
    const results: ChangeResult[] = []
    const work = {
      caller: openBulkCalls(caller, stop.signal)(() => {}),
      ...sent,
      stop: stop.signal,
      waitsFor: host.waiting.begin,
      onDone: () => service.endWrite(),
    }
    for await (const result of makeChanges(changes, work)) results.push(result)
    // A table omits unchanged subscriptions, because the plan has already listed them.
    const shown = results.filter(({ outcome }) => !show.isPlain || outcome !== 'unchanged')
    if (show.isPlain && shown.length > 0) await show.text('\n')
    if (shown.length > 0 || !show.isPlain) await show.all(shown.map(resultRecord), madeChangesList)
    const failure = failureOf(results, stop.signal.aborted ? String(stop.signal.reason.message) : null)
    for (const { change, hint } of results)
      if (hint !== null && hint !== failure?.hint) await say(`${change.event}: ${hint}`)
    await say(isOpen ? resultCounts(results) : `nothing to change: ${resultCounts(results)}`)
    if (failure) throw failure
  }
}
