import { isJsonObject, type JsonObject, type JsonValue, jsonObjects } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { CardView, Field } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'

export function explainedCard(explained: JsonObject): CardView {
  const lines = (member: string, label: string): Field[] =>
    jsonObjects(explained[member]).map((one, at) => ({
      label: at === 0 ? label : '',
      paths: [member],
      cell: () => textAt(one, 'message'),
    }))
  const notChecked = joinTexts(explained['notChecked'])
  const accepted = `The service would accept this request${notChecked === '' ? '' : ', as far as it was checked'}`
  const isAccepted = explained['accepted'] === true
  return {
    title: () => [
      isAccepted ? { text: accepted, tone: 'good' } : { text: 'The service would reject this request', tone: 'bad' },
    ],
    sections: [
      {
        heading: null,
        fields: [
          { label: 'Request', paths: ['request', 'accepted'], cell: () => formatRequest(explained['request']) },
          ...lines('reasons', 'Because'),
          ...lines('doubts', 'Note'),
          { label: 'Not checked', paths: ['notChecked'], cell: () => notChecked },
          { label: '', paths: ['reasons', 'doubts', 'withoutTables'], cell: () => '' },
        ],
      },
      {
        heading: `Nearest possible times${explained['withoutTables'] === true ? ', without the tables' : ''}`,
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

export const explainedList = listOf('request', 'requests', 'Nothing.', {
  columns: [
    { path: 'accepted', header: 'ACCEPTED', rank: 1 },
    { path: 'reasons', header: 'REASONS', cell: (one) => joinMessages(one['reasons']), rank: 2 },
    { path: 'nearest', header: 'NEAREST', cell: (one) => joinMessages(one['nearest'], 'time', ', '), rank: 3 },
  ],
  csvPaths: ['accepted', 'reasons', 'doubts', 'nearest', 'withoutTables', 'notChecked', 'request'],
})

function formatRequest(request: JsonValue | undefined): string {
  if (!isJsonObject(request)) return ''
  const parts = [
    counted(request['people'], 'person', 'people'),
    textAt(request, 'time'),
    ...['service', 'section'].map((name) => textAt(request, name)),
    joinTexts(request['tables'], ' '),
    counted(request['minutes'], 'minute', 'minutes'),
  ]
  return joined(parts, ', ')
}

function joinMessages(value: JsonValue | undefined, member = 'message', separator = '; '): string {
  const texts = jsonObjects(value).map((one) => textAt(one, member))
  return joined(texts, separator)
}

function joinTexts(value: JsonValue | undefined, separator = ', '): string {
  return Array.isArray(value) ? joined(value.map(plainText), separator) : ''
}
