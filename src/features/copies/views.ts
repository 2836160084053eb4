import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../base/json/exact.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import type { CardView, ViewContext } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import {
  distance,
  instantAndDistance,
  instantAt,
  instantCell,
  instantCellAt,
  zoneName,
} from '../shared/views/moments.ts'
import { counted, textAt } from '../shared/views/wording.ts'

export const syncStatusCard: CardView = {
  title: (status, context) => [
    { text: `Copy of the ${textAt(status, 'resource')} of ${textAt(status, 'source')}`, tone: 'strong' },
    lagCell(status, context),
  ],
  sections: onlyFields([
    { label: 'Up to', paths: ['cursor', 'source', 'resource'], cell: instantAt('cursor'), blank: 'not synced yet' },
    { label: 'Behind', paths: ['lagSeconds'], cell: behindText },
    { label: 'Records', paths: ['rows'] },
    { label: 'Last run', paths: ['lastRun'], cell: lastRunCell, blank: 'none' },
    { label: 'Failed', paths: ['lastFailure'], cell: failedCell },
    { label: 'Held by', paths: ['holder'], cell: holderCell, blank: 'no one' },
  ]),
}

export const syncStatusList = listOf('copy', 'copies', 'No copy.', {
  columns: [
    { path: 'source', header: 'SOURCE', rank: 2 },
    { path: 'resource', header: 'RESOURCE', rank: 1 },
    { path: 'cursor', header: 'UP TO', cell: instantCellAt('cursor'), rank: 3 },
    { path: 'lagSeconds', header: 'LAG S', align: 'right', rank: 4 },
    { path: 'rows', header: 'RECORDS', align: 'right', rank: 5 },
    { path: 'holder', header: 'HELD BY', cell: holderCell, flex: 12, rank: 6, optional: true },
  ],
  csvPaths: [
    ...['source', 'resource', 'cursor', 'lagSeconds', 'rows', 'holder.who', 'holder.since', 'lastRun.startedAt'],
    ...['requests', 'added', 'changed', 'unchanged'].map((name) => `lastRun.${name}`),
  ],
})

export const differenceList = listOf('difference', 'differences', 'No differences.', {
  columns: [
    { path: 'id', header: 'ID', rank: 1 },
    { path: 'difference', header: 'DIFFERENCE', cell: differenceCell, rank: 2 },
    { path: 'lastModifiedDate', header: 'LAST CHANGED', cell: instantCellAt('lastModifiedDate'), rank: 3 },
  ],
  footnote: (context) => `times in ${zoneName(context)}`,
})

/** Shows the last run if it failed. */
function failedCell(status: JsonObject, context: ViewContext): Cell {
  const failed = status['lastFailure']
  if (!isJsonObject(failed)) return ''
  return { text: `${instantCell(failed['at'], context)}: ${textAt(failed, 'message')}`, tone: 'bad' }
}

export const compactedCard: CardView = {
  title: (log) => [{ text: textAt(log, 'file'), tone: 'strong' }],
  sections: onlyFields([
    { label: 'Kept', paths: ['kept', 'file', 'source', 'versions', 'dryRun'] },
    { label: 'Dropped', paths: ['dropped'] },
    { label: 'Bytes', paths: ['bytesAfter', 'bytesBefore'] },
  ]),
}

export const compactedList = listOf('log', 'logs', 'No log.', {
  columns: [
    { path: 'file', header: 'FILE', rank: 1, flex: 12 },
    { path: 'versions', header: 'VERSIONS', align: 'right', rank: 4 },
    { path: 'kept', header: 'KEPT', align: 'right', rank: 2 },
    { path: 'dropped', header: 'DROPPED', align: 'right', rank: 3 },
    { path: 'bytesBefore', header: 'BYTES BEFORE', align: 'right', rank: 5 },
    { path: 'bytesAfter', header: 'BYTES AFTER', align: 'right', rank: 6 },
  ],
  csvPaths: ['file', 'source', 'versions', 'kept', 'dropped', 'bytesBefore', 'bytesAfter', 'dryRun'],
})

function lagCell(status: JsonObject, context: ViewContext): Cell {
  const text = distance(status['cursor'], context)
  return text === '' ? { text: 'not synced yet', tone: 'warn' } : { text, tone: 'dim' }
}

function lastRunCell({ lastRun }: JsonObject, context: ViewContext): string {
  if (!isJsonObject(lastRun)) return plainText(lastRun)
  const counts = `${count(lastRun['added'])} new, ${count(lastRun['changed'])} changed, ${count(lastRun['unchanged'])} unchanged`
  const requests = counted(lastRun['requests'], 'request', 'requests')
  return `${instantAndDistance('startedAt')(lastRun, context)}: ${counts}; ${requests}`
}

function holderCell({ holder }: JsonObject, context: ViewContext): string {
  if (!isJsonObject(holder)) return plainText(holder)
  const since = instantCell(holder['since'], context)
  return since === '' ? textAt(holder, 'who') : `${textAt(holder, 'who')}, since ${since}`
}

function differenceCell(record: JsonObject): Cell {
  return { text: textAt(record, 'difference'), tone: 'warn' }
}

function behindText({ lagSeconds }: JsonObject): string {
  const seconds = typeof lagSeconds === 'number' && lagSeconds >= 0 ? lagSeconds : null
  return seconds === null ? plainText(lagSeconds) : formatDuration(seconds * 1000)
}

function count(value: JsonValue | undefined): string {
  return numberText(value) ?? '?'
}

export const unitCard: CardView = {
  title: (units) => [{ text: textAt(units, 'service.name'), tone: 'strong' }],
  sections: [
    { heading: 'Service', fields: [{ label: '', paths: ['service.text', 'service.name'] }] },
    { heading: 'Timer', fields: [{ label: '', paths: ['timer.text', 'timer.name'] }] },
    { heading: 'Crontab', fields: [{ label: '', paths: ['crontab'] }] },
    { heading: 'Task', fields: [{ label: '', paths: ['task.text', 'task.name', 'task.install'] }] },
  ],
}

export const unitList = listOf('unit', 'units', 'No units.', {
  columns: [
    { path: 'service.name', header: 'SERVICE', rank: 1 },
    { path: 'timer.name', header: 'TIMER', rank: 2 },
    { path: 'crontab', header: 'CRONTAB', rank: 3, flex: 20 },
    { path: 'task.name', header: 'TASK', rank: 4, optional: true },
  ],
  csvPaths: [
    ...['service.name', 'service.text', 'timer.name', 'timer.text', 'crontab'],
    ...['task.name', 'task.text', 'task.install'],
  ],
})
