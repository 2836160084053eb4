import type { WireRecord } from '../../../base/json/list/wire-record.ts'
import { minify } from '../../../base/json/minify.ts'
import { project } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { jsonTerminalSafe } from '../text/safe-text.ts'

/** Returns a record, or only its requested members, as JSON. On a terminal, the JSON is indented and escaped. */
export function jsonText(record: WireRecord, columns: readonly string[] | null, screen: Screen): string {
  if (screen.columns === null) return columns ? selected(record, columns) : record.text.trim()
  return jsonTerminalSafe(indented(record, columns))
}

/** Returns a record as JSON on one line. Numbers and strings are kept exactly as they were received. */
export function jsonLine(record: WireRecord, columns: readonly string[] | null, screen: Screen): string {
  const line = columns ? selected(record, columns) : oneLine(record.text)
  return screen.columns === null ? line : jsonTerminalSafe(line)
}

function selected(record: WireRecord, columns: readonly string[]): string {
  return JSON.stringify(project(record.value, columns))
}

function indented(record: WireRecord, columns: readonly string[] | null): string {
  try {
    return JSON.stringify(columns ? project(record.value, columns) : record.value, null, 2)
  } catch (error) {
    // The record is nested too deeply to serialize, but its original text can be printed.
    if (error instanceof RangeError && !columns) return record.text
    throw error
  }
}

/** Minifies JSON that contains line breaks. Returns other JSON unchanged. */
function oneLine(json: string): string {
  const text = json.trim()
  return /[\r\n]/.test(text) ? minify(text) : text
}
