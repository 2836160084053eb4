import { filledColumns } from './ddl.ts'
import { GIFT_CARDS } from './giftcards.ts'

/** The temporary table that collects the cards from a full read. Its columns are {@link STAGED_COLUMNS}. */
export const STAGED = 'staged_gift_cards'

export const STAGED_COLUMNS: readonly string[] = filledColumns(GIFT_CARDS).map(({ name }) => name)
const FIGURES = ['status', 'amount_cents', 'remaining_cents'] as const

const CHANGE_COLUMNS = [
  'source, snapshot_id, id, taken_at, change',
  ...FIGURES,
  ...FIGURES.map((name) => `previous_${name}`),
  'raw',
].join(', ')

const IS_LISTED = `EXISTS (SELECT 1 FROM ${STAGED} s WHERE s.id = c.id)`

/** The statements that store a snapshot. `$1` is the source, `$2` is the snapshot's number, and `$3` is its time. */
export const SNAPSHOT_SQL = {
  next: 'SELECT coalesce(max(id), 0) + 1 AS id FROM gift_card_snapshots WHERE source = $1',

  /** Records the cards that appeared, reappeared or changed. */
  noteArrivals: `
  INSERT INTO gift_card_changes (${CHANGE_COLUMNS})
  SELECT $1, $2, s.id, $3, CASE WHEN c.id IS NULL THEN 'appeared' ELSE 'changed' END,
    ${FIGURES.map((name) => `s.${name}`).join(', ')}, ${FIGURES.map((name) => `c.${name}`).join(', ')}, s.raw
  FROM ${STAGED} s LEFT JOIN gift_cards c ON c.source = $1 AND c.id = s.id AND c.gone_at IS NULL
  WHERE c.id IS NULL OR c.digest IS DISTINCT FROM s.digest`,

  /** Records which cards are no longer listed. Run it only after a full read and before `markDepartures`. */
  noteDepartures: `
  INSERT INTO gift_card_changes (${CHANGE_COLUMNS})
  SELECT $1, $2, c.id, $3, 'went', ${FIGURES.map(() => 'NULL').join(', ')}, ${FIGURES.map((name) => `c.${name}`).join(', ')}, NULL
  FROM gift_cards c WHERE c.source = $1 AND c.gone_at IS NULL AND NOT ${IS_LISTED}`,

  /** Writes the listed cards to `gift_cards`. Takes no parameters. */
  keepArrivals: `
  INSERT INTO gift_cards (${STAGED_COLUMNS.join(', ')})
  SELECT ${STAGED_COLUMNS.map((name) => `s.${name}`).join(', ')} FROM ${STAGED} s WHERE true
  ON CONFLICT (source, id) DO UPDATE SET
    ${STAGED_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}, gone_at = NULL
  WHERE gift_cards.gone_at IS NOT NULL OR gift_cards.digest IS DISTINCT FROM excluded.digest`,

  /** Marks the cards that are no longer listed. Run it only after a full read. */
  markDepartures: `
  UPDATE gift_cards AS c SET gone_at = $3 WHERE c.source = $1 AND c.gone_at IS NULL AND NOT ${IS_LISTED}`,

  /** Writes the snapshot's row and returns its counts. Run this after all changes have been written. */
  writeHead: `
  INSERT INTO gift_card_snapshots (source, id, taken_at, cards, appeared, changed, went)
  SELECT $1, $2, $3, (SELECT count(*) FROM ${STAGED}), ${countOf('appeared')}, ${countOf('changed')}, ${countOf('went')}
  FROM gift_card_changes WHERE source = $1 AND snapshot_id = $2
  RETURNING cards, appeared, changed, went`,
} as const

function countOf(change: string): string {
  return `coalesce(sum(CASE WHEN change = '${change}' THEN 1 ELSE 0 END), 0)`
}
