import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { Field } from '../../../terminal/render/view.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'
import { rowsOf } from '../views/row.ts'

export const rehearsalViews: Views = {
  card: {
    title: (day) => [
      { text: `Rehearsed ${textAt(day, 'day')}`, tone: 'strong' },
      `seed ${textAt(day, 'seed')}`,
      counted(day['requests'], 'request', 'requests'),
    ],
    sections: onlyFields([
      { label: 'Journal hash', paths: ['journalHash', 'day', 'seed', 'requests', 'happened', 'integration'] },
      line('Guests', {
        arrived: 'arrived',
        early: 'early',
        late: 'late',
        walkIns: 'walked in',
        turnedAway: 'turned away',
        noShows: 'did not show up',
        cancelled: 'cancelled',
      }),
      line('Bookings', {
        reserved: 'made',
        notAccepted: 'rejected',
        moved: 'moved to another table',
        resized: 'changed in size',
      }),
      line('Sales', {
        sales: 'accepted',
        duplicates: 'rejected as duplicates',
        refunds: 'refunded',
        voids: 'voided',
        takingsCents: 'net takings',
      }),
      line('Gift cards', {
        redemptions: 'redeemed',
        redeemedCents: 'in total',
        cardsRefused: 'rejected',
        cardsCancelled: 'cancelled',
      }),
      line('Customers', { unsubscribed: 'unsubscribed' }),
      { label: 'Webhooks', paths: [], cell: webhooksText },
      { label: 'Integration', paths: [], cell: integrationText },
      { label: 'Command', paths: ['command'], cell: commandText },
      { label: 'Copy', paths: ['report'], cell: copyText },
    ]),
  },
  list: listOf('rehearsal', 'rehearsals', 'No rehearsal.', {
    columns: [
      { path: 'day', header: 'DAY' },
      { path: 'seed', header: 'SEED', align: 'right' },
      { path: 'requests', header: 'REQUESTS', align: 'right' },
      { path: 'journalHash', header: 'JOURNAL HASH', flex: 16 },
      { path: 'report.agrees', header: 'COPY AGREES', optional: true },
    ],
    csvPaths:
      pathsIn(`day seed requests journalHash happened.reserved happened.walkIns happened.arrived happened.noShows
      happened.cancelled happened.sales happened.takingsCents happened.currency happened.redemptions
      happened.redeemedCents integration.requests integration.refused integration.struck integration.webhooks.events
      integration.webhooks.delivered integration.webhooks.pending integration.webhooks.lost report.agrees`),
  }),
}

/** Returns a field that lists labelled counts and amounts. Omits counts of 0, but never omits amounts. */
function line(label: string, words: Readonly<Record<string, string>>): Field {
  const said = (day: JsonObject, member: string) => {
    const count = textAt(day, `happened.${member}`)
    if (member.endsWith('Cents')) return `${textAt(day, 'happened.currency')} ${(Number(count) / 100).toFixed(2)}`
    return count === '0' ? '' : count
  }
  const cell = (day: JsonObject) =>
    Object.entries(words).flatMap(([member, word]) => {
      const text = said(day, member)
      return text === '' ? [] : [`${text} ${word}`]
    })
  return { label, paths: [], cell: (day) => cell(day).join(', ') }
}

function webhooksText(day: JsonObject): Cell {
  const count = (member: string) => textAt(day, `integration.webhooks.${member}`)
  if (count('events') === '0') return { text: 'no subscriptions', tone: 'dim' }
  const rest = ['pending', 'lost']
    .filter((member) => count(member) !== '0')
    .map((member) => `${count(member)} ${member}`)
  const text = joined([`${count('delivered')} of ${count('events')} delivered`, ...rest], ', ')
  return rest.length === 0 ? { text, tone: 'good' } : { text, tone: 'warn' }
}

function integrationText(day: JsonObject): Cell {
  const count = (member: string) => textAt(day, `integration.${member}`)
  if (count('requests') === '0') return { text: 'no requests', tone: 'dim' }
  const parts = [
    counted(count('requests'), 'request', 'requests'),
    count('refused') === '0' ? '' : `${count('refused')} rejected`,
    count('struck') === '0' ? '' : `${count('struck')} affected by faults`,
  ]
  return joined(parts, ', ')
}

function commandText({ command }: JsonObject): Cell {
  if (!isJsonObject(command)) return ''
  const code = textAt(command, 'exitCode')
  if (code === '') return 'ran until the day ended'
  return { text: `exited early with code ${code}`, tone: code === '0' ? 'good' : 'bad' }
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

export const differenceList = rowsOf('difference', 'No differences.', [
  { path: 'difference', header: 'DIFFERENCE', cell: (one) => toned(textAt(one, 'difference'), TONES) },
  { path: 'resource', header: 'RESOURCE' },
  { path: 'id', header: 'ID' },
  {
    path: 'fields',
    header: 'FIELDS',
    flex: 20,
    optional: true,
    cell: ({ fields }) => (Array.isArray(fields) ? fields.map(String).join(', ') : ''),
  },
])
