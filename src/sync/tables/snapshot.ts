import type { CardChange, SnapshotHistory } from '../copy.ts'
import { filledColumns } from './ddl.ts'
import { GIFT_CARDS } from './giftcards.ts'

/** A temporary table, in which a full read of the gift cards is collected before it is compared. Its columns are {@link STAGED_COLUMNS}. */
export const STAGED = 'staged_gift_cards'

/** Names of columns. */
export const STAGED_COLUMNS: readonly string[] = filledColumns(GIFT_CARDS).map(({ name }) => name)

/** What of a card is compared from one snapshot to the next. */
const FIGURES = ['status', 'amount_cents', 'remaining_cents'] as const

const CHANGE_COLUMNS = [
  'source, snapshot_id, id, taken_at, change',
  ...FIGURES,
  ...FIGURES.map((name) => `previous_${name}`),
  'raw',
].join(', ')

const IS_LISTED = `EXISTS (SELECT 1 FROM ${STAGED} s WHERE s.id = c.id)`

// The parameters of all statements here: `$1` the source, `$2` the snapshot's number, `$3` when it was taken.

/** The number of the next snapshot; it takes `$1` alone. */
export const NEXT_SNAPSHOT = 'SELECT coalesce(max(id), 0) + 1 AS id FROM gift_card_snapshots WHERE source = $1'

/** Notes the cards that appeared, also those that came back, and those of which another version was read. */
export const NOTE_ARRIVALS = `
  INSERT INTO gift_card_changes (${CHANGE_COLUMNS})
  SELECT $1, $2, s.id, $3, CASE WHEN c.id IS NULL THEN 'appeared' ELSE 'changed' END,
    ${FIGURES.map((name) => `s.${name}`).join(', ')}, ${FIGURES.map((name) => `c.${name}`).join(', ')}, s.raw
  FROM ${STAGED} s LEFT JOIN gift_cards c ON c.source = $1 AND c.id = s.id AND c.gone_at IS NULL
  WHERE c.id IS NULL OR c.digest IS DISTINCT FROM s.digest`

/** Notes the cards that are not listed any more. Only after a full read, and before {@link MARK_DEPARTURES}. */
export const NOTE_DEPARTURES = `
  INSERT INTO gift_card_changes (${CHANGE_COLUMNS})
  SELECT $1, $2, c.id, $3, 'went', ${FIGURES.map(() => 'NULL').join(', ')}, ${FIGURES.map((name) => `c.${name}`).join(', ')}, NULL
  FROM gift_cards c WHERE c.source = $1 AND c.gone_at IS NULL AND NOT ${IS_LISTED}`

/** Brings `gift_cards` to what was read; it takes no parameter. */
export const KEEP_ARRIVALS = `
  INSERT INTO gift_cards (${STAGED_COLUMNS.join(', ')})
  SELECT ${STAGED_COLUMNS.map((name) => `s.${name}`).join(', ')} FROM ${STAGED} s WHERE true
  ON CONFLICT (source, id) DO UPDATE SET
    ${STAGED_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}, gone_at = NULL
  WHERE gift_cards.gone_at IS NOT NULL OR gift_cards.digest IS DISTINCT FROM excluded.digest`

/** Marks the cards that are not listed any more; it takes `$1` and `$3`. Only after a full read. */
export const MARK_DEPARTURES = `
  UPDATE gift_cards AS c SET gone_at = $3 WHERE c.source = $1 AND c.gone_at IS NULL AND NOT ${IS_LISTED}`

/** Writes the head of the snapshot, after all notes of it, and returns its counts. */
export const WRITE_HEAD = `
  INSERT INTO gift_card_snapshots (source, id, taken_at, cards, appeared, changed, went)
  SELECT $1, $2, $3, (SELECT count(*) FROM ${STAGED}),
    coalesce(sum(CASE WHEN change = 'appeared' THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN change = 'changed' THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN change = 'went' THEN 1 ELSE 0 END), 0)
  FROM gift_card_changes WHERE source = $1 AND snapshot_id = $2
  RETURNING cards, appeared, changed, went`

/** Reads what {@link historyOf} takes, of some snapshots of a source, in order of them. Both are conditions. */
export function historyQuery(ofSource: string, ofSnapshots: string): string {
  return `
    SELECT snapshot_id, id, change, status, remaining_cents, previous_status, previous_remaining_cents,
      CASE WHEN EXISTS (
        SELECT 1 FROM gift_card_changes b WHERE b.source = c.source AND b.id = c.id AND b.snapshot_id < c.snapshot_id
      ) THEN 1 ELSE 0 END AS was_known
    FROM gift_card_changes c WHERE ${ofSource} AND ${ofSnapshots} ORDER BY snapshot_id, id`
}

/** A row as a database gives it: its values may be text. */
type HistoryRow = Readonly<Record<string, unknown>>

/** The head of a snapshot. `takenMs`: epoch milliseconds. */
export interface SnapshotHead {
  readonly id: number
  readonly takenMs: number
}

/** The heads, of those given in order, from the last one before an instant on. */
export function headsFrom(heads: readonly SnapshotHead[], fromMs: number): readonly SnapshotHead[] {
  const firstAfter = heads.findIndex(({ takenMs }) => takenMs >= fromMs)
  return heads.slice(Math.max(0, (firstAfter < 0 ? heads.length : firstAfter) - 1))
}

/** The history that heads, in order, and the changes of all but the first of them make. */
export function historyOf(heads: readonly SnapshotHead[], rows: readonly HistoryRow[]): SnapshotHistory {
  const takenMs = heads.map((head) => head.takenMs)
  const at = new Map(heads.map(({ id }, index) => [id, index]))
  const changes = rows.flatMap((row): CardChange[] => {
    const index = at.get(Number(row['snapshot_id'])) ?? 0
    const [afterMs, byMs] = [takenMs[index - 1], takenMs[index]]
    if (afterMs === undefined || byMs === undefined) return []
    return [
      {
        ...{ id: String(row['id']), change: changeOf(row), afterMs, byMs },
        ...{ status: textOrNull(row['status']), remainingCents: numberOrNull(row['remaining_cents']) },
        previousStatus: textOrNull(row['previous_status']),
        previousRemainingCents: numberOrNull(row['previous_remaining_cents']),
      },
    ]
  })
  return { takenMs, changes }
}

function changeOf(row: HistoryRow): CardChange['change'] {
  const change = String(row['change']) as CardChange['change']
  return change === 'appeared' && Number(row['was_known']) === 1 ? 'returned' : change
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}
