import { isJsonObject, type JsonObject, type JsonValue, jsonObjects } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { CardView, Field, ListView } from '../../../terminal/render/view.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'

/** What would become of a reservation: `{accepted, reasons, doubts, nearest, withoutTables, notChecked, request}`, as a card. */
export function explainedCard(explained: JsonObject): CardView {
  const lines = (member: string, label: string): Field[] =>
    jsonObjects(explained[member]).map((one, at) => ({
      label: at === 0 ? label : '',
      paths: [member],
      cell: () => textAt(one, 'message'),
    }))
  const notChecked = listAt(explained, 'notChecked')
  const isPartial = notChecked !== ''
  return {
    title: () => [
      explained['accepted'] === true
        ? { text: isPartial ? 'It would be accepted, as far as it is checked' : 'It would be accepted', tone: 'good' }
        : { text: 'It would be refused', tone: 'bad' },
    ],
    sections: [
      {
        heading: null,
        fields: [
          { label: 'Asked for', paths: ['request', 'accepted'], cell: () => askedText(explained['request']) },
          ...lines('reasons', 'Because'),
          ...lines('doubts', 'Mind'),
          { label: 'Not checked', paths: ['notChecked'], cell: () => notChecked },
          { label: '', paths: ['reasons', 'doubts', 'withoutTables'], cell: () => '' },
        ],
      },
      {
        heading:
          explained['withoutTables'] === true ? 'Nearest that would do, without the tables' : 'Nearest that would do',
        path: 'nearest',
        columns: [
          { path: 'time', header: '--time', rank: 1 },
          { path: 'serviceId', header: '--service', rank: 2 },
          { path: 'sectionId', header: '--section', rank: 3 },
          { path: 'serviceName', header: 'SERVICE', flex: 8, rank: 4 },
          { path: 'sectionName', header: 'SECTION', flex: 8, rank: 5 },
        ],
        covers: ['timeUtc'],
      },
    ],
  }
}

/** The same in a row. */
export const explainedList: ListView = {
  columns: [
    { path: 'accepted', header: 'ACCEPTED', rank: 1 },
    { path: 'reasons', header: 'REASONS', cell: (one) => messagesIn(one['reasons']), rank: 2 },
    { path: 'nearest', header: 'NEAREST', cell: (one) => timesIn(one['nearest']), rank: 3 },
  ],
  csvPaths: ['accepted', 'reasons', 'doubts', 'nearest', 'withoutTables', 'notChecked', 'request'],
  empty: 'Nothing.',
  one: 'request',
  many: 'requests',
}

function askedText(request: JsonValue | undefined): string {
  if (!isJsonObject(request)) return ''
  const tables = request['tables']
  const parts = [
    counted(request['people'], 'person', 'people'),
    textAt(request, 'time'),
    ...['service', 'section'].map((name) => textAt(request, name)),
    Array.isArray(tables) ? joined(tables.map(plainText), ' ') : '',
    counted(request['minutes'], 'minute', 'minutes'),
  ]
  return joined(parts, ', ')
}

function listAt(record: JsonObject, member: string): string {
  const list = record[member]
  return Array.isArray(list) ? joined(list.map(plainText), ', ') : ''
}

function messagesIn(value: JsonValue | undefined): string {
  return joined(
    jsonObjects(value).map((one) => textAt(one, 'message')),
    '; ',
  )
}

function timesIn(value: JsonValue | undefined): string {
  return joined(
    jsonObjects(value).map((one) => textAt(one, 'time')),
    ', ',
  )
}
