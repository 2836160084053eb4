import { isJsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { CellOf } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { sameWord, textAt } from '../../shared/views/wording.ts'

/**
 * Lists a venue's booking statuses. The code comes first, because commands accept it. Source: "GET
 * /Resources/booking-statuses".
 */
export const bookingStatusList = listOf('status', 'statuses', 'This venue has no booking statuses.', {
  columns: [
    { path: 'code', header: 'CODE', rank: 1 },
    { path: 'name', header: 'NAME', flex: 12, cell: (one) => toned(textAt(one, 'name'), textAt(one, 'statusType')) },
    { path: 'statusType', header: 'TYPE', flex: 8 },
  ],
})

/** Formats a status as its name. If its code is a different word, appends the code, because commands accept it. */
export function statusCell(status: JsonValue | undefined): Cell {
  if (!isJsonObject(status)) return toned(plainText(status))
  const [name, code, type] = [textAt(status, 'name'), textAt(status, 'code'), textAt(status, 'statusType')]
  return toned(name && code && !sameWord(name, code) ? `${name} (${code})` : name || code || type, type)
}

export function statusAt(member: string): CellOf {
  return (record) => statusCell(record[member])
}

/**
 * Colours a status. Each venue names its own statuses, so the colour is guessed from the words. A status with unknown
 * words is not coloured.
 */
function toned(text: string, type = ''): Cell {
  const words = `${type} ${text}`
  if (text === '') return text
  if (/cancel|no.?show|declin|reject/i.test(words)) return { text, tone: 'bad' }
  if (/unconfirm|pending|wait|request|late/i.test(words)) return { text, tone: 'warn' }
  return /confirm|arriv|seat/i.test(words) ? { text, tone: 'good' } : text
}
