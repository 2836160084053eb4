import type { JsonObject } from '../../base/json/exact.ts'
import { operationWithKey } from '../../money/once/shown.ts'
import { describeOperation, type ShownOperation } from '../../money/operations/describe.ts'
import { type Cell, type Tone, toned } from '../../terminal/render/text/tone.ts'
import type { CardView } from '../../terminal/render/view.ts'
import type { Connection } from '../../terminal/runtime/connection.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { instantAt, instantCellAt, zoneName } from '../shared/views/moments.ts'
import { textAt } from '../shared/views/wording.ts'

const STATE_TONES: Readonly<Record<string, Tone>> = { open: 'warn', applied: 'good', 'not-applied': 'dim' }

export const operationCard: CardView = {
  title: (operation) => [{ text: `Operation ${textAt(operation, 'id')}`, tone: 'strong' }, stateCell(operation)],
  sections: onlyFields([
    { label: 'Command', paths: ['command', 'id', 'state'] },
    { label: 'Target', paths: ['target'] },
    { label: 'Amount', paths: ['amount'] },
    { label: 'Before', paths: ['before'] },
    { label: 'Started', paths: ['startedAt'], cell: instantAt('startedAt') },
    { label: 'Settled', paths: ['endedAt'], cell: instantAt('endedAt') },
    { label: 'Evidence', paths: ['how'] },
    { label: 'Key', paths: ['once'] },
    { label: 'Profile', paths: ['profile'] },
    { label: 'Service', paths: ['service'] },
    { label: 'Host', paths: ['host'] },
    // The command is printed below the card, on one line, because a wrapped command cannot be pasted.
    { label: '', paths: ['repeat'], cell: () => '' },
  ]),
}

const NO_OPERATIONS = 'No operations: the outcome of every money write is known.'

/** The list view of money writes whose outcome is or was unknown. */
export const operationList = listOf('operation', 'operations', NO_OPERATIONS, {
  columns: [
    { path: 'id', header: 'ID', rank: 1 },
    { path: 'state', header: 'STATE', cell: stateCell, rank: 2 },
    { path: 'command', header: 'COMMAND', rank: 4 },
    { path: 'target', header: 'TARGET', rank: 3 },
    { path: 'amount', header: 'AMOUNT', align: 'right', rank: 5, optional: true },
    { path: 'startedAt', header: 'STARTED', cell: instantCellAt('startedAt'), rank: 6 },
    { path: 'profile', header: 'PROFILE', flex: 8, rank: 7, optional: true },
    { path: 'how', header: 'EVIDENCE', flex: 16, rank: 8, optional: true },
  ],
  csvPaths: ['id', 'state', 'command', 'target', 'amount', 'startedAt', 'profile', 'how', 'endedAt', 'once', 'host'],
  card: operationCard,
  footnote: (context) => `times in ${zoneName(context)}`,
})

function stateCell(operation: JsonObject): Cell {
  return toned(textAt(operation, 'state'), STATE_TONES)
}

/** Returns the time zone that all profiles share, or `null` (for UTC) if the profiles have different time zones. */
export async function zoneFor(connection: Connection, profiles: readonly (string | null)[]): Promise<string | null> {
  const zones = new Set(await Promise.all(profiles.map((profile) => connection.zoneOf(profile))))
  return zones.size === 1 ? ([...zones][0] ?? null) : null
}

type ShowParts = Pick<RunParts, 'show' | 'say' | 'operations'>

/** Shows an operation. Also prints to stderr, on one line, the command that repeats the write. */
export async function showOperation({ show, say, operations }: ShowParts, operation: ShownOperation) {
  const keyed = operationWithKey(await operations.open(), operation.id)
  const described = describeOperation(operation, keyed?.key ?? null)
  await show.one(described, { card: operationCard, list: operationList })
  const { repeat } = described
  if (show.isPlain && typeof repeat === 'string') await say(`to perform this write now: ${repeat}`)
}
