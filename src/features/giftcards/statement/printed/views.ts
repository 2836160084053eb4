import { formatCommand } from '../../../../base/failure/suggested.ts'
import type { JsonObject } from '../../../../base/json/exact.ts'
import { type Cell, type Tone, toned } from '../../../../terminal/render/text/tone.ts'
import type { CardView, Column, Field, FieldSection } from '../../../../terminal/render/view.ts'
import { listOf } from '../../../shared/views/list.ts'
import { instantCell, instantCellAt, instantText, zoneName } from '../../../shared/views/moments.ts'
import { sumMembers } from '../../../shared/views/totals.ts'
import { joined, textAt, words } from '../../../shared/views/wording.ts'
import type { PeriodRecord } from '../../output.ts'
import type { Kind } from '../step.ts'

const KIND_TONES: Readonly<Record<string, Tone>> = { issued: 'good', 'not-explained': 'warn', adjusted: 'warn' }

const CARD: Column = { path: 'cardNumber', header: 'CARD', rank: 1 }
const SEEN: Column = { path: 'seen', header: 'SEEN', cell: instantCellAt('seen'), rank: 6 }

/** Returns the table columns for movements. `hasSeen` adds the time of the first snapshot that shows each movement. */
function movementColumns(hasSeen: boolean): readonly Column[] {
  return [
    CARD,
    { path: 'kind', header: 'WHAT', cell: kindCell, rank: 2 },
    { path: 'amount', header: 'UNITS', align: 'right', rank: 3 },
    { path: 'by', header: 'BY', rank: 4, optional: true },
    ...(hasSeen ? [SEEN] : []),
    { path: 'statusAfter', header: 'STATUS', cell: statusCell, flex: 8, rank: 5 },
  ]
}

/**
 * The list view of gift card movements: `{cardNumber, kind, amount, by, after, seen, statusBefore, statusAfter, why}`.
 */
export const movementList = listOf('movement', 'movements', 'No movements.', {
  columns: [...movementColumns(true), { path: 'why', header: 'WHY', flex: 16, rank: 7, optional: true }],
  csvPaths: ['cardNumber', 'kind', 'amount', 'by', 'after', 'seen', 'statusBefore', 'statusAfter', 'why'],
  footnote: (context) => `SEEN: time of the first snapshot with the movement, in ${zoneName(context)}`,
})

const FIGURES: readonly Column[] = [
  ...(['issued', 'redeemed', 'cancelled', 'expired', 'adjusted'] as const).map((path): Column => {
    return { path, header: path.toUpperCase(), align: 'right' }
  }),
  { path: 'notExplained', header: 'NOT EXPLAINED', align: 'right' },
]

export const statementTotals = listOf('venue', 'venues', 'No venue.', {
  columns: [
    { path: 'opening.amount', header: 'OPENING', align: 'right' },
    ...FIGURES,
    { path: 'closing.amount', header: 'CLOSING', align: 'right' },
    { path: 'from', header: 'FROM', cell: ({ from }, context) => instantText(from, context), rank: 6 },
    { path: 'to', header: 'TO', cell: ({ to }, context) => instantText(to, context), rank: 6 },
  ],
  total: (records) => sumMembers(records, ['opening.amount', ...FIGURES.map(({ path }) => path), 'closing.amount']),
})

export function statementCard(shown: StatementShown): CardView {
  return {
    title: (one, context) => [
      { text: `Gift cards of ${textAt(one, 'source')}`, tone: 'strong' },
      joined([instantCell(one['from'], context), 'to', instantText(one['to'], context)], ' '),
    ],
    sections: [
      {
        heading: 'Amount owed',
        path: 'equation',
        columns: [
          { path: 'line', header: 'LINE', cell: lineCell },
          { path: 'amount', header: 'UNITS', align: 'right' },
          { path: 'cards', header: 'CARDS', align: 'right' },
        ],
        covers: ['tone'],
      },
      {
        heading: 'Movements',
        path: 'movements',
        columns: movementColumns(shown.snapshots !== 2),
        covers: ['why', 'after', 'seen', 'statusBefore'],
      },
      sentenceSection('Done by this machine, but not shown by the service', shown, 'notShown', notShownText, 'bad'),
      sentenceSection('Sent by this machine, outcome unknown', shown, 'open', openText, 'warn'),
      {
        heading: 'Done elsewhere, such as at another POS',
        path: 'elsewhere',
        columns: [CARD, { path: 'kind', header: 'WHAT' }, { path: 'amount', header: 'UNITS', align: 'right' }],
        covers: ['by', 'after', 'seen', 'statusBefore', 'statusAfter', 'why'],
      },
      sentenceSection('Not explained by the service', shown, 'untold', ({ text }) => text, null),
      { heading: null, fields: [{ label: '', paths: ['source', 'from', 'to', 'snapshots'], cell: () => '' }] },
    ],
  }
}

/** Matches a card number that can be the label of a field. Any other number becomes part of the text. */
const PLAIN_NUMBER = /^[\w-]{1,24}$/

/**
 * Returns a section with one field for each record in a list. The field's label is the card number, and its text is a
 * sentence about the card.
 */
function sentenceSection<P extends 'notShown' | 'open' | 'untold'>(
  heading: string,
  shown: StatementShown,
  path: P,
  text: (one: StatementShown[P][number]) => string,
  tone: Tone | null,
): FieldSection {
  const fields = shown[path].map((one): Field => {
    const isLabel = PLAIN_NUMBER.test(one.cardNumber)
    const said = isLabel ? text(one) : joined([one.cardNumber, text(one)], ': ')
    const cell = tone === null ? said : { text: said, tone }
    return { label: isLabel ? one.cardNumber : '', paths: [path], cell: () => cell }
  })
  // The blank field claims the path even if the list is empty. Otherwise, the card would show the empty list as well.
  return { heading, fields: [...fields, { label: '', paths: [path], cell: () => '' }] }
}

function notShownText({ command, amount, operations, why }: PeriodRecord['notShown'][number]): string {
  const made = operations.length === 0 ? '' : `(${operations.join(', ')})`
  return `${joined([command, amount ?? '', made], ' ')}: ${why}`
}

function openText({ command, amount, fits, operation }: PeriodRecord['open'][number]): string {
  const shows = fits ? '; the service shows at least that much redeemed elsewhere' : ''
  return `${joined([command, amount ?? ''], ' ')}${shows}; to find out: ${formatCommand`operations resolve ${operation}`}`
}

type StatementShown = ReturnType<typeof toStatementView>

/** Converts a statement from its JSON form to the data that its views show. */
export function toStatementView(record: PeriodRecord) {
  const { source, from, to, snapshots, movements, notShown, open, notes } = record
  const unexplained = movements.flatMap(({ cardNumber, why, amount }) =>
    why === null ? [] : [{ cardNumber, text: joined([amount, why], ': ') }],
  )
  const elsewhere = movements.filter(({ by }) => by === 'elsewhere')
  const untold = [...unexplained, ...notes]
  return { source, from, to, snapshots, equation: equationLines(record), movements, notShown, open, elsewhere, untold }
}

function equationLines(record: PeriodRecord) {
  const { opening, closing, redeemedHere, redeemedElsewhere } = record
  const cards = (kind: Kind) =>
    new Set(record.movements.filter((one) => one.kind === kind).map(({ cardNumber }) => cardNumber)).size
  const line = (text: string, amount: string, count: number | string, tone = '') => {
    return { line: text, amount, cards: String(count), tone }
  }
  const less = (value: string) => (/[1-9]/.test(value) ? `-${value}`.replace(/^--/, '') : value)
  const part = (text: string, amount: string | null) => line(text, less(amount ?? ''), '', 'dim')
  const isShared = /[1-9]/.test(redeemedElsewhere ?? '')
  const rare = (text: string, amount: string, kind: Kind) =>
    cards(kind) === 0 ? [] : [line(text, amount, cards(kind), 'warn')]
  return [
    line('opening', opening.amount, opening.cards, 'strong'),
    line('+ issued', record.issued, cards('issued')),
    line('- redeemed', less(record.redeemed), cards('redeemed')),
    ...(isShared ? [part('    by this machine', redeemedHere), part('    elsewhere', redeemedElsewhere)] : []),
    line('- cancelled', less(record.cancelled), cards('cancelled')),
    line('- expired', less(record.expired), cards('expired')),
    ...rare('± adjusted', record.adjusted, 'adjusted'),
    ...rare('? not explained', record.notExplained, 'not-explained'),
    line('= closing', closing.amount, closing.cards, 'strong'),
  ]
}

function lineCell(row: JsonObject): Cell {
  const tone = textAt(row, 'tone') as Tone | ''
  return tone === '' ? textAt(row, 'line') : { text: textAt(row, 'line'), tone }
}

function kindCell(one: JsonObject): Cell {
  const kind = textAt(one, 'kind')
  return toned(kind, KIND_TONES, kind.replace('-', ' '))
}

function statusCell(one: JsonObject): string {
  const [before, after] = [textAt(one, 'statusBefore'), textAt(one, 'statusAfter')]
  if (before === after) return words(after)
  return `${words(before) || 'new'} → ${words(after) || 'not listed'}`
}
