import type { JsonValue } from '../../src/base/json/exact.ts'
import { WireRecord } from '../../src/base/json/list/wire-record.ts'
import { openListWriter } from '../../src/terminal/render/list-writer.ts'
import { renderOne } from '../../src/terminal/render/one-record.ts'
import type { CardView, ListView, ViewContext } from '../../src/terminal/render/view.ts'

/** Friday 20 November 2026 at 17:30 in Sydney. */
const now = Date.parse('2026-11-20T06:30:00Z')
export const sydney: ViewContext = { timezone: 'Australia/Sydney', now }
export const unknownZone: ViewContext = { timezone: null, now }

interface Asked {
  readonly columns?: number | null
  readonly color?: boolean
  readonly context?: ViewContext
}

export async function card(
  record: JsonValue,
  view: CardView,
  listView: ListView,
  { columns = null, color = false, context = sydney }: Asked = {},
): Promise<string[]> {
  const options = { format: 'table', view, listView, columns: null, screen: { columns, color }, context } as const
  return (await renderOne(WireRecord.of(record), options)).trimEnd().split('\n')
}

export async function table(
  records: readonly JsonValue[],
  view: ListView,
  { columns = null, color = false, context = sydney }: Asked = {},
): Promise<string[]> {
  const options = { format: 'table', view, columns: null, screen: { columns, color }, context } as const
  const writer = await openListWriter(options)
  return `${await writer.write(records.map(WireRecord.of))}${await writer.end()}`.trimEnd().split('\n')
}

/** Returns the text that follows a label on a card, or `undefined` if no line has that label. */
export function said(lines: readonly string[], label: string): string | undefined {
  const line = lines.find((one) => one.startsWith(`  ${label}  `))
  return line?.slice(label.length + 2).trim()
}
