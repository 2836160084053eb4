import { isJsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { Cell, Tone } from '../../../terminal/render/text/tone.ts'
import { sameWord, textAt } from '../../shared/views/wording.ts'

/**
 * A booking status: its name, with the code behind it when that is another word, because commands take the code. A status that
 * is only a code is shown as it is.
 */
export function statusCell(status: JsonValue | undefined): Cell {
  const text = statusText(status)
  const tone = toneOf(isJsonObject(status) ? `${textAt(status, 'statusType')} ${text}` : text)
  return tone === null || text === '' ? text : { text, tone }
}

/** The same without a tone. */
function statusText(status: JsonValue | undefined): string {
  if (!isJsonObject(status)) return plainText(status)
  const name = textAt(status, 'name')
  const code = textAt(status, 'code')
  if (name === '' || code === '' || sameWord(name, code)) return name || code || textAt(status, 'statusType')
  return `${name} (${code})`
}

/** Venues name their statuses themselves, so the tone is a guess from the words. Unknown words stay plain. */
function toneOf(words: string): Tone | null {
  if (/cancel|no.?show|declin|reject/i.test(words)) return 'bad'
  if (/unconfirm|pending|wait|request|late/i.test(words)) return 'warn'
  return /confirm|arriv|seat/i.test(words) ? 'good' : null
}
