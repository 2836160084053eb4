import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { anything } from '../../../src/contract/shapes/scalars.ts'
import { explained } from '../../../src/features/bookings/explain/output.ts'
import {
  compacted,
  copied,
  copiedCards,
  copyStatus,
  difference,
  unitFiles,
} from '../../../src/features/copies/output.ts'
import * as customers from '../../../src/features/customers/output.ts'
import * as giftcards from '../../../src/features/giftcards/output.ts'
import * as mcp from '../../../src/features/mcp/output.ts'
import * as monitor from '../../../src/features/monitor/output.ts'
import * as night from '../../../src/features/night/printed/output.ts'
import { decidedOrder } from '../../../src/features/operations/output.ts'
import * as profiles from '../../../src/features/profiles/output.ts'
import * as sales from '../../../src/features/sales/output.ts'
import * as sandbox from '../../../src/features/sandbox/output.ts'
import { operation } from '../../../src/features/shared/operation.ts'
import {
  answerOf,
  list,
  listOfEither,
  noJson,
  type Output,
  one,
  recordOf,
  recordsOf,
} from '../../../src/features/shared/output.ts'
import * as sign from '../../../src/features/sign/output.ts'
import * as support from '../../../src/features/support/output.ts'
import { command } from '../../../src/features/surface/output.ts'
import { checkedName } from '../../../src/features/tables/output.ts'
import { timelineEntry } from '../../../src/features/timeline/output.ts'
import * as webhooks from '../../../src/features/webhooks/output.ts'

const ANY_ANSWER = 'The response of the service.'
const LOST = 'Only the bookingId, if the response was lost but the booking has the requested values.'

/** Returns the zod schema of a command's `--json` output, or `undefined` if none is declared for the command. */
export function outputOf(words: string): Output | undefined {
  return OUTPUTS[words] ?? outputLike(words.replace(' ', '.'))
}

/**
 * Returns the schema of the output of an endpoint's command: the whole response, or a single record if the response is
 * a list.
 */
function outputLike(id: string): Output | undefined {
  const endpoint = (ENDPOINTS as Readonly<Record<string, Endpoint>>)[id]
  return endpoint?.list ? recordsOf(endpoint) : endpoint && answerOf(endpoint)
}

const OUTPUTS: Readonly<Record<string, Output>> = {
  api: {
    ...one(
      anything,
      `${ANY_ANSWER} With --paginate, a list of all records; with --include, the status and headers come first.`,
    ),
    isAssumed: true,
  },
  'api spec': one(anything, 'An OpenAPI 3.1 document.'),
  'bookings sync': copied(ENDPOINTS['bookings.list']),
  'bookings sync compact': compacted,
  'bookings sync status': copyStatus,
  'bookings sync unit': unitFiles,
  'bookings sync verify': list(difference),
  'bookings update': answerOf(ENDPOINTS['bookings.update'], LOST),
  'bookings update-pax': answerOf(ENDPOINTS['bookings.update-pax'], LOST),
  'bookings update-status': answerOf(ENDPOINTS['bookings.update-status'], LOST),
  'bookings update-tables': answerOf(ENDPOINTS['bookings.update-tables'], LOST),
  certify: one(
    (z) => z.union([sandbox.certified(z), z.array(sandbox.knownItem(z))]),
    'With --list, the available items; with -o ndjson, csv and tsv, one row per item.',
  ),
  'certify verify': one(sandbox.verified),
  commands: list(command),
  completion: noJson(
    'text',
    'The completion script of the shell; with --install or --uninstall, a report of the changes.',
  ),
  config: list(profiles.setting),
  'customers get': recordOf(ENDPOINTS['customers.list']),
  'customers sync': copied(ENDPOINTS['customers.list']),
  'customers sync status': copyStatus,
  'customers unsubscribe': {
    ...answerOf(
      ENDPOINTS['customers.unsubscribe'],
      'One object for one customer; a list for several customers, or for IDs from standard input.',
    ),
    schema: (z) => z.union([customers.unsubscribed(z), z.array(customers.unsubscribed(z))]),
    isAssumed: false,
  },
  doctor: one(support.findings),
  drift: list(support.driftEntry),
  'drift accept': list(support.correction),
  'giftcards cancel': one(giftcards.cancelled),
  'giftcards statement': one(giftcards.cardStatement, giftcards.CARD_STATEMENT_ABOUT),
  'giftcards sync': copiedCards,
  'giftcards sync status': copyStatus,
  'inbound balance': answerOf(ENDPOINTS['inbound.balance'], ANY_ANSWER),
  'inbound event': answerOf(ENDPOINTS['inbound.event'], ANY_ANSWER),
  'inbound redeem': answerOf(ENDPOINTS['inbound.redeem'], ANY_ANSWER),
  'inbound send': { ...one(anything, ANY_ANSWER), isAssumed: true },
  mcp: noJson('text', 'Messages of the Model Context Protocol, one per line.'),
  'mcp config': one(mcp.clientSetup),
  monitor: noJson('nothing', 'The lines on stderr and the exit code tell what was found.'),
  'monitor status': list(monitor.checkStatus),
  'monitor test': list(monitor.testResult),
  'operations approve': one(decidedOrder),
  'operations list': list(operation),
  'operations resolve': one(operation),
  'operations show': one(operation),
  'profiles add': one(profiles.profile),
  'profiles check': one(profiles.profileCheck),
  'profiles list': list(profiles.profile),
  'profiles remove': one(profiles.removedProfile),
  'profiles set': one(profiles.profile),
  'profiles show': one(profiles.profile),
  'profiles use': one(profiles.currentProfile),
  'report night': one(
    (z) => z.union([night.nightReport(z), z.array(night.nightSql(z))]),
    'With --sql, a list of the figures and their statements; with -o ndjson, csv and tsv, one row per figure.',
  ),
  'reservations explain': one(explained),
  'sales create': { ...one(sales.submitted, `${ANY_ANSWER} If it is empty, {saleId}.`), isAssumed: true },
  'sales import': listOfEither(
    sales.imported,
    sales.importTotal,
    'One result per line of the file; with --dry-run, the totals by currency and type.',
  ),
  'sales reconcile': one(sales.reconciled, 'With -o csv, tsv or ndjson, only the differences.'),
  'sales sync': copied(ENDPOINTS['sales.list']),
  'sales sync status': copyStatus,
  'sandbox clock': one(sandbox.clock),
  'sandbox clock advance': one(sandbox.clock),
  'sandbox clock reset': one(sandbox.clock),
  'sandbox clock set': one(sandbox.clock),
  'sandbox deliveries': one(
    (z) => z.union([z.array(sandbox.delivery(z)), sandbox.delivery(z)]),
    'A list of deliveries; with an ID, only that delivery.',
  ),
  'sandbox env': one(sandbox.facts),
  'sandbox exec': noJson('text', 'The output of the command that it runs.'),
  'sandbox faults add': one(sandbox.fault),
  'sandbox faults clear': one((z) => z.looseObject({ cleared: z.int().min(0) })),
  'sandbox faults list': list(sandbox.fault),
  'sandbox journal': list(sandbox.journalEntry, 'With --follow, new entries are added; with -o ndjson, one per line.'),
  'sandbox rehearse': one(sandbox.rehearsed, 'With --report, `report` is null if the copy cannot be read.'),
  'sandbox reset': one(sandbox.reset),
  'sandbox seed': one(sandbox.seeded),
  'sandbox snapshot delete': one(sandbox.snapshotFile),
  'sandbox snapshot list': list(sandbox.snapshot),
  'sandbox snapshot load': one(sandbox.loadedSnapshot),
  'sandbox snapshot save': one(sandbox.snapshotFile),
  'sandbox start': one(sandbox.facts),
  sign: one(sign.signature),
  'sign verify': one(sign.verdict),
  'support bundle': one(
    (z) => z.union([support.bundle(z), z.array(support.bundlePart(z))]),
    'With --list, the parts that the bundle would contain; with --out -, the zip itself.',
  ),
  'tables check': list(checkedName),
  'timeline booking': list(timelineEntry),
  'timeline giftcard': list(timelineEntry),
  'timeline sale': list(timelineEntry),
  'webhooks apply': list(webhooks.change),
  'webhooks delete': answerOf(ENDPOINTS['webhooks.delete'], 'If the response is empty, {event, deleted}.'),
  'webhooks gaps': listOfEither(
    webhooks.gap,
    webhooks.gapHour,
    'One row per gap; with --summary, counts by hour and event.',
  ),
  'webhooks inbox': list(webhooks.inboxRow, 'Empty with --retry, --retry-dead or --purge-done-before.'),
  'webhooks listen': list(
    webhooks.received,
    'One entry per delivery, added as it arrives; with -o ndjson, one per line.',
  ),
  'webhooks replay': list(
    webhooks.replayed,
    'With --dry-run, the deliveries that would be sent; their status, error and ms are null.',
  ),
  'webhooks torture': listOfEither(
    webhooks.check,
    webhooks.knownCheck,
    'The results of the checks; with --dry-run, the available checks.',
  ),
  'webhooks trigger': one(webhooks.triggered),
  'webhooks work': list(webhooks.worked, 'One entry per event, added when it is done; with -o ndjson, one per line.'),
}
