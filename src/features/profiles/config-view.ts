import type { JsonObject } from '../../base/json/exact.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import { listOf } from '../shared/views/list.ts'
import { textAt } from '../shared/views/wording.ts'

const NAMES: Readonly<Record<string, string>> = {
  baseUrl: 'Base URL',
  apiKey: 'API key',
  locationId: 'Location ID',
  color: 'Colour',
  noProxy: 'No proxy for',
  caCertificates: 'CA certificates',
  pingUrl: 'Ping URL',
  tracesUrl: 'Traces URL',
  updateUrl: 'Update URL',
}

/** Lists the settings in effect as `{setting, value, source, from}`. `value` is `null` if a setting is not set. */
export const settingList = listOf('setting', 'settings', 'There are no settings.', {
  columns: [
    { path: 'setting', header: 'SETTING', cell: nameCell, rank: 1 },
    { path: 'value', header: 'VALUE', cell: valueCell, flex: 24, rank: 2 },
    { path: 'source', header: 'SOURCE', cell: sourceCell, flex: 12, rank: 3 },
  ],
  csvPaths: ['setting', 'value', 'source', 'from'],
})

/** Formats a setting's name for display, such as `signatureHeader` as `Signature header`. */
function nameCell(record: JsonObject): Cell {
  const name = textAt(record, 'setting')
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/**
 * Formats where a setting comes from, such as `flag --timeout`, `variable PARTNER_RETRIES`, `profile dev` or `default`.
 */
function sourceCell(record: JsonObject): Cell {
  const [source, from] = [textAt(record, 'source'), textAt(record, 'from')]
  return source === 'flag' || source === 'variable' ? `${source} ${from}` : from
}

function valueCell(record: JsonObject): Cell {
  return record['value'] === null ? { text: 'not set', tone: 'dim' } : textAt(record, 'value')
}
