import { inBatches } from '../../base/json/list/in-batches.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { subjectKindOf, WEBHOOK_EVENTS } from '../../contract/events.ts'
import { copyOwner, settingsOf, sourceName } from '../../features/shared/copies.ts'
import { gapHourList, gapList } from '../../features/webhooks/deliveries/gaps.ts'
import { CREDENTIAL_FLAGS, readEventName } from '../../features/webhooks/sending/input.ts'
import { type ChosenTarget, chooseTarget, journalOrDefault } from '../../features/webhooks/sending/target.ts'
import { kindToRead, openToRead } from '../../sync/open-target.ts'
import { flag, PING_FLAG, PROFILE_FLAGS, repeated, requiredFlag, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { readSinceUntil } from '../../terminal/input/values/since-until.ts'
import { limitHeapGrowth } from '../../terminal/output/heap.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { countByHour, hourLine } from '../../webhooks/gaps/by-hour.ts'
import { type Comparison, compare } from '../../webhooks/gaps/compare.ts'
import { gapLine, openRepairer } from '../../webhooks/gaps/repair.ts'
import { storedDeliveries } from '../../webhooks/gaps/source.ts'
import { describeComparison, gapsFailure, repairLine, silentEventHints, totalLine } from '../../webhooks/gaps/words.ts'
import { openTarget } from '../../webhooks/listener/target.ts'

export default class WebhooksGaps extends PartnerCommand {
  static override summary = 'Compare webhook deliveries with the changes in a copy and send missing events.'
  static override description =
    `The journal is a file written by webhooks listen, or the inbox that it filled (each line number is then a row ID). The copy is one that bookings sync maintains. The command only reads both, so a listener and a sync may run meanwhile. It makes no requests to the service. Each row of the output is a change without an event (missing), an event without a change (extra), an event delivered more than 15 minutes after its change (late), or an event delivered twice (duplicate). Changes and events from the last 15 minutes are not compared yet.

An event does not contain the time of its change, so it is matched with the most likely change. A .ndjson copy has every version of a booking that sync saw; a database has only the newest version. Gift cards need two dated snapshots: run giftcards sync into the same database before and after.

The exit code is 11 if there are gaps. With --repair, missing events are sent, marked with the header X-Partner-Repair: 1, and the exit code is 0 if all of them were accepted and there are no other gaps.`
  static override examples = [
    'touch hooks.ndjson && <%= config.bin %> bookings sync --to bookings.ndjson && <%= config.bin %> <%= command.id %> --journal hooks.ndjson --copy bookings.ndjson --since -10m --summary',
    'touch hooks.ndjson && <%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --journal hooks.ndjson --copy venue.db --since -10m --repair --to http://127.0.0.1:8080/hooks',
  ]
  static override baseFlags = PROFILE_FLAGS
  static override flags = {
    journal: flag(
      'FILE',
      'The deliveries: a journal or an inbox (postgres://…) written by webhooks listen (default: the journal of the running listener).',
    ),
    copy: requiredFlag(
      'TARGET',
      'The copy to read the changes from, made by bookings sync --to, such as x.ndjson, x.db or a postgres:// URL.',
    ),
    source: flag('NAME', "The source whose records in the copy to compare (default: the profile's name)."),
    since: flag('TIME', 'Compare only changes and deliveries at TIME or later (default: since the first delivery).'),
    until: flag('TIME', 'Compare only changes and deliveries at TIME or earlier (default: the end of the copy).'),
    event: repeated({
      helpValue: 'EVENT',
      summary: 'Compare only changes and deliveries for this event. May be repeated.',
    }),
    summary: toggle('Print counts by hour and event instead of one row per gap.'),
    repair: toggle('Send the missing events to --to URL.'),
    to: flag('URL', 'With --repair: the receiver, an http or https URL (default: the running listener).'),
    'dry-run': toggle('With --repair: show the missing events, but send nothing.'),
    ...CREDENTIAL_FLAGS,
    ...PING_FLAG,
  }

  async run(): Promise<void> {
    const opened = await this.open(WebhooksGaps)
    const { flags, host, connection, say } = opened
    const problems = new Problems()
    for (const name of ['to', 'dry-run', 'security-key', 'security-token'] as const)
      if (flags[name] && !flags.repair) problems.add(`--${name} needs --repair`, 'add --repair, or omit this flag')
    const named = flags.event?.map((event) => readEventName(event, problems))
    const events = new Set(WEBHOOK_EVENTS.filter((event) => named?.includes(event) ?? true))
    if (flags.source?.trim() === '') problems.add('--source must not be empty')
    const kind = problems.check(() => kindToRead(flags.copy, '--copy'))
    const journal = journalOrDefault(flags.journal, '--journal FILE', host, problems)
    const deliveries = journal === undefined ? undefined : problems.check(() => storedDeliveries(journal, host))
    readSinceUntil({ since: flags.since, until: flags.until }, { now: host.now(), timezone: null }, problems)
    const receiver =
      flags.repair || flags.to !== undefined ? await chooseTarget(flags, opened, problems, journal) : null
    problems.throwIfAny()
    if (flags.journal === undefined) await say(`deliveries: ${journal}`)
    const whose = copyOwner(settingsOf(host, flags))
    const source = sourceName(flags.source, problems.valueOrThrow(kind), whose)
    const timezone = await connection.zoneOf(whose.profile)
    connection.zone = timezone
    const times = readSinceUntil({ since: flags.since, until: flags.until }, { now: host.now(), timezone }, problems)
    problems.throwIfAny()
    const place = { source, env: host.env, timezone }
    const bookings = await openToRead(flags.copy, '--copy', { ...place, resource: 'bookings' })
    const cards = kind === 'file' ? null : await openToRead(flags.copy, '--copy', { ...place, resource: 'giftcards' })
    const asked = { ...{ bookings, source, cards, events, signal: host.signal }, ...times }
    await limitHeapGrowth()
    const comparing = compare({ ...asked, deliveries: problems.valueOrThrow(deliveries) })
    const found = await comparing.finally(() => Promise.all([bookings.close(), cards?.close()]))
    const wantsCards = [...events].some((event) => subjectKindOf(event) === 'card')
    for (const line of describeComparison(found, { wantsCards, hasCards: cards !== null })) await say(line)
    const repairs = await repairAndShow(opened, found, flags.summary, flags['dry-run'] ? null : receiver)
    for (const line of silentEventHints(found)) await say(line)
    const failure = gapsFailure(found, repairs)
    // If the command fails without repairing anything, its error message already contains the totals.
    if (failure === null || repairs) await say(totalLine(found))
    if (repairs) await say(repairLine(repairs))
    if (receiver && flags['dry-run'])
      await say(
        `${found.gaps.filter((gap) => gap.class === 'missing').length} missing would be sent to ${receiver.url.href}; nothing was sent`,
      )
    if (failure) throw failure
  }
}

/** Prints the gaps. If `to` is set, sends the missing events to it and returns the results. */
async function repairAndShow(
  { host, show, connection }: RunParts,
  found: Comparison,
  isSummary: boolean,
  to: ChosenTarget | null,
) {
  const target = to && (await openTarget(to.url, host.env))
  const repairer = to && target && openRepairer(target, to.headers, host.signal)
  const lines = async function* () {
    for (const gap of found.gaps)
      yield [new WireRecord(gapLine(gap, repairer && gap.class === 'missing' ? await repairer.send(gap) : null))]
  }
  try {
    if (isSummary) {
      for await (const _ of lines());
      await show.list(inBatches(countByHour(found, connection.zone).map(hourLine)), gapHourList)
    } else if (found.gaps.length > 0 || !show.isPlain) await show.list(lines(), gapList)
  } finally {
    await target?.close()
  }
  return repairer?.results ?? null
}
