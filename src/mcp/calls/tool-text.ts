import { WireRecord } from '../../base/json/list/wire-record.ts'
import { openListWriter } from '../../terminal/render/list-writer.ts'
import { renderOne } from '../../terminal/render/one-record.ts'
import type { Captured } from './capture.ts'

/** Wide tables are hard for models to read, and colors are useless to them. */
const SCREEN = { columns: 120, color: false }
const MAX_ROWS = 20
const MAX_CHARACTERS = 8192

/** Formats a command's output as the table or card that a terminal would show, but shortened. */
export async function tableOf(captured: Captured): Promise<string> {
  const options = { format: 'table', columns: null, screen: SCREEN, context: captured.context } as const
  return shortened(await drawn(captured, options))
}

async function drawn(captured: Captured, options: Omit<Parameters<typeof openListWriter>[0], 'view'>): Promise<string> {
  if (captured.form === 'one') {
    const { card, list } = captured.views
    return renderOne(WireRecord.of(captured.value), { ...options, view: card, listView: list })
  }
  const { records, view } = captured
  if (records.length === 0) return view.empty
  const writer = await openListWriter({ ...options, view })
  const rows = await writer.write(records.slice(0, MAX_ROWS).map(WireRecord.of))
  const rest = records.length > MAX_ROWS ? `… and ${records.length - MAX_ROWS} more` : ''
  const table = `${Buffer.from(rows).toString()}${await writer.end()}${rest}`
  return `${table}\n${writer.remark(SCREEN)}`
}

/** Truncates long text at the end of a line. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  return `${text.slice(0, text.lastIndexOf('\n', MAX_CHARACTERS) + 1)}…`
}
