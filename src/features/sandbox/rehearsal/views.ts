import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { Field } from '../../../terminal/render/view.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'
import { rowsOf } from '../views/row.ts'

/** How a rehearsed day went: `{journalHash, day, seed, requests, happened, integration, command?, report?}`. */
export const rehearsalViews: Views = {
  card: {
    title: (day) => [
      { text: `Rehearsed ${textAt(day, 'day')}`, tone: 'strong' },
      `seed ${textAt(day, 'seed')}`,
      counted(day['requests'], 'request', 'requests'),
    ],
    sections: [
      {
        heading: null,
        fields: [
          { label: 'Journal hash', paths: ['journalHash', 'day', 'seed', 'requests', 'happened', 'integration'] },
          line('Guests', (day) => [
            some(day, 'arrived', 'came'),
            some(day, 'early', 'early'),
            some(day, 'late', 'late'),
            some(day, 'walkIns', 'walked in'),
            some(day, 'turnedAway', 'turned away'),
            some(day, 'noShows', 'did not come'),
            some(day, 'cancelled', 'cancelled'),
          ]),
          line('Bookings', (day) => [
            some(day, 'reserved', 'made'),
            some(day, 'notAccepted', 'refused'),
            some(day, 'moved', 'moved to another table'),
            some(day, 'resized', 'for more or fewer guests'),
          ]),
          line('Sales', (day) => [
            some(day, 'sales', 'accepted'),
            some(day, 'duplicates', 'refused as duplicates'),
            some(day, 'refunds', 'given back'),
            some(day, 'voids', 'made void'),
            `${inUnits(day, 'takingsCents')} taken`,
          ]),
          line('Gift cards', (day) => [
            some(day, 'redemptions', 'redeemed'),
            `${inUnits(day, 'redeemedCents')} in all`,
            some(day, 'cardsRefused', 'refused'),
            some(day, 'cardsCancelled', 'cancelled'),
          ]),
          line('Customers', (day) => [some(day, 'unsubscribed', 'unsubscribed')]),
          { label: 'Webhooks', paths: [], cell: webhooksText },
          { label: 'Integration', paths: [], cell: integrationText },
          { label: 'Command', paths: ['command'], cell: commandText },
          { label: 'Its copy', paths: ['report'], cell: copyText },
        ],
      },
    ],
  },
  list: rowsOf(
    'rehearsal',
    'No rehearsal.',
    [
      { path: 'day', header: 'DAY' },
      { path: 'seed', header: 'SEED', align: 'right' },
      { path: 'requests', header: 'REQUESTS', align: 'right' },
      { path: 'journalHash', header: 'JOURNAL HASH', flex: 16 },
      { path: 'report.agrees', header: 'COPY AGREES', optional: true },
    ],
    pathsIn(`day seed requests journalHash happened.reserved happened.walkIns happened.arrived happened.noShows
      happened.cancelled happened.sales happened.takingsCents happened.currency happened.redemptions
      happened.redeemedCents integration.requests integration.refused integration.struck integration.webhooks.events
      integration.webhooks.delivered integration.webhooks.pending integration.webhooks.lost report.agrees`),
  ),
}

function line(label: string, parts: (day: JsonObject) => readonly string[]): Field {
  return { label, paths: [], cell: (day) => joined(parts(day), ', ') }
}

/** A count of what happened with its word; '' for none. */
function some(day: JsonObject, member: string, word: string): string {
  const count = textAt(day, `happened.${member}`)
  return count === '0' || count === '' ? '' : `${count} ${word}`
}

function inUnits(day: JsonObject, member: string): string {
  const cents = Number(textAt(day, `happened.${member}`))
  return `${textAt(day, 'happened.currency')} ${(cents / 100).toFixed(2)}`
}

function webhooksText(day: JsonObject): Cell {
  const count = (member: string) => textAt(day, `integration.webhooks.${member}`)
  if (count('events') === '0') return { text: 'nobody has subscribed', tone: 'dim' }
  const rest = ['pending', 'lost']
    .filter((member) => count(member) !== '0')
    .map((member) => `${count(member)} ${member}`)
  const text = joined([`${count('delivered')} of ${count('events')} delivered`, ...rest], ', ')
  return rest.length === 0 ? { text, tone: 'good' } : { text, tone: 'warn' }
}

function integrationText(day: JsonObject): Cell {
  const count = (member: string) => textAt(day, `integration.${member}`)
  if (count('requests') === '0') return { text: 'no request came', tone: 'dim' }
  return joined(
    [
      counted(count('requests'), 'request', 'requests'),
      count('refused') === '0' ? '' : `${count('refused')} refused`,
      count('struck') === '0' ? '' : `${count('struck')} spoiled on purpose`,
    ],
    ', ',
  )
}

function commandText({ command }: JsonObject): Cell {
  if (!isJsonObject(command)) return ''
  const code = textAt(command, 'exitCode')
  if (code === '') return 'ran until the end'
  return { text: `ended by itself with exit code ${code}`, tone: code === '0' ? 'good' : 'bad' }
}

function copyText(day: JsonObject): Cell {
  const report = day['report']
  if (report === undefined) return ''
  if (!isJsonObject(report)) return { text: 'cannot be read', tone: 'bad' }
  const compared = counted(report['compared'], 'record', 'records')
  if (report['agrees'] === true) return { text: `agrees with the venue: ${compared}`, tone: 'good' }
  const size = (member: string) => {
    const list = valueAt(report, member)
    return Array.isArray(list) ? list.length : 0
  }
  const differences = ['missing', 'stale', 'extra'].map((member) => `${size(member)} ${member}`)
  return { text: `differs from the venue: ${differences.join(', ')}, of ${compared}`, tone: 'bad' }
}

const TONES: Readonly<Record<string, Tone>> = { missing: 'bad', stale: 'warn', extra: 'warn' }

/** Where the copy of an integration differs: `{difference, resource, id, fields}`. */
export const differenceList = rowsOf('difference', 'No difference.', [
  { path: 'difference', header: 'DIFFERENCE', cell: (one) => toned(textAt(one, 'difference'), TONES) },
  { path: 'resource', header: 'OF' },
  { path: 'id', header: 'ID' },
  {
    path: 'fields',
    header: 'FIELDS',
    flex: 20,
    optional: true,
    cell: ({ fields }) => (Array.isArray(fields) ? fields.map(String).join(', ') : ''),
  },
])
