import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { memberText } from '../text/amount.ts'
import { labelledRows, MIN_TEXT_WIDTH, textStart } from '../text/labelled.ts'
import { isBlank } from '../text/plain-text.ts'
import { terminalSafe, terminalSafeLines } from '../text/safe-text.ts'
import { type Cell, cellText, cellTone, paint, type Tone } from '../text/tone.ts'
import { openRuler, type Ruler } from '../text/width.ts'
import type { CardView, Column, Field, FieldSection, TableSection, ViewContext } from '../view.ts'

type Line = { readonly label: string; readonly lines: readonly string[]; readonly tone: Tone | null }

interface FieldBlock {
  readonly heading: string | null
  /**
   * Whether the block contains the members that no section shows. Their names may be long, so they are aligned
   * separately.
   */
  readonly isOther: boolean
  readonly fields: readonly Line[]
}

type TableBlock = Readonly<{ heading: string; columns: readonly Column[]; rows: readonly JsonObject[] }>

type Block = FieldBlock | TableBlock

const INDENT = 2
const TITLE_GAP = '  '
const MAX_TITLE_LINES = 2
const ROWS_PER_BATCH = 100

/** Draws a record as a card: a title, sections of labelled lines, tables for lists, and all remaining members. */
export async function* drawCard(record: JsonObject, view: CardView, screen: Screen, context: ViewContext) {
  const title = view
    .title(record, context)
    .map((cell) => ({ text: terminalSafe(cellText(cell)), tone: cellTone(cell) }))
    .filter(({ text }) => text !== '')
  const blocks = blocksOf(record, view, context)
  const ruler = await openRuler([...title.map(({ text }) => text), ...blocks.flatMap(textsOf)])
  let before = ''
  const part = (text: string) => {
    const whole = text === '' ? '' : before + text
    if (text !== '') before = '\n\n'
    return whole
  }
  yield part(titleText(title, screen, ruler))
  for (const block of blocks) {
    const heading = block.heading === null ? '' : `${paint('strong', terminalSafe(block.heading), screen)}\n`
    if ('rows' in block) {
      yield part(heading)
      let end = ''
      for await (const lines of tableLines(block, screen, context)) {
        yield end + indentedText(lines)
        end = '\n'
      }
    } else yield part(heading + indentedText(fieldLines(block, blocks, screen, ruler)))
  }
  yield '\n'
}

function indentedText(lines: readonly string[]): string {
  return lines.map((line) => `${' '.repeat(INDENT)}${line}`.trimEnd()).join('\n')
}

/**
 * Draws the title on one row or, if it is too wide, on several indented rows. Truncates long parts, because other lines
 * repeat them.
 */
function titleText(title: readonly { text: string; tone: Tone | null }[], screen: Screen, ruler: Ruler): string {
  const { columns } = screen
  const width = title.reduce((sum, { text }) => sum + ruler.width(text) + TITLE_GAP.length, -TITLE_GAP.length)
  if (columns === null || width <= columns)
    return title.map(({ text, tone }) => paint(tone, text, screen)).join(TITLE_GAP)
  const room = columns - INDENT
  return title
    .flatMap(({ text, tone }) =>
      ruler.wrap(ruler.truncate(text, MAX_TITLE_LINES * room), room).map((line) => paint(tone, line, screen)),
    )
    .join(`\n${' '.repeat(INDENT)}`)
}

function blocksOf(record: JsonObject, view: CardView, context: ViewContext): Block[] {
  const sections = view.sections.flatMap((section): Block[] => {
    if ('path' in section) return tableBlock(record, section)
    const fields = section.fields.flatMap((field) => fieldLine(record, field, context))
    return fields.length === 0 ? [] : [{ heading: section.heading, isOther: false, fields }]
  })
  const shown = view.sections.flatMap((section) => pathsOf(record, section))
  const fields = leftovers(record, shown).map(([path, value]) => {
    return { label: terminalSafe(path), lines: terminalSafeLines(memberText(value, path)), tone: 'dim' as const }
  })
  return fields.length === 0 ? sections : [...sections, { heading: 'Other', isOther: true, fields }]
}

/**
 * Returns the paths that a section shows. Returns no paths if the section's own path does not lead to a list of
 * objects.
 */
function pathsOf(record: JsonObject, section: FieldSection | TableSection): readonly string[] {
  if ('fields' in section) return section.fields.flatMap((field) => field.paths)
  return rowsOf(valueAt(record, section.path), section) ? [section.path] : []
}

function fieldLine(record: JsonObject, field: Field, context: ViewContext): Line[] {
  const [first = ''] = field.paths
  const cell: Cell = field.cell ? field.cell(record, context) : memberText(valueAt(record, first), first)
  if (cellText(cell) !== '')
    return [{ label: field.label, lines: terminalSafeLines(cellText(cell)), tone: cellTone(cell) }]
  return field.blank === undefined ? [] : [{ label: field.label, lines: [field.blank], tone: 'dim' }]
}

function tableBlock(record: JsonObject, section: TableSection): TableBlock[] {
  const rows = rowsOf(valueAt(record, section.path), section)
  if (!rows || rows.length === 0) return []
  const known = new Set([...section.columns.map((column) => column.path), ...(section.covers ?? [])])
  const others = rows.flatMap((row) => Object.keys(row).filter((name) => !known.has(name) && !isBlank(row[name])))
  const columns = [...new Set(others)].map((name): Column => ({ path: name, header: name, flex: 8 }))
  return [{ heading: section.heading, columns: [...section.columns, ...columns], rows }]
}

/** Returns a list's rows, or `null` if the value is not a list of objects. */
function rowsOf(value: JsonValue | undefined, section: TableSection): JsonObject[] | null {
  if (!Array.isArray(value)) return null
  const items = (value as readonly JsonValue[]).filter(isJsonObject)
  return items.length === value.length ? items.flatMap((item) => section.rows?.(item) ?? [item]) : null
}

function textsOf(block: Block): string[] {
  return 'rows' in block ? [] : block.fields.flatMap(({ label, lines }) => [label, ...lines])
}

function fieldLines(block: FieldBlock, blocks: readonly Block[], screen: Screen, ruler: Ruler): string[] {
  const aligned = blocks.filter((one) => !('rows' in one) && one.isOther === block.isOther) as FieldBlock[]
  const labels = aligned.flatMap(({ fields }) => fields.map(({ label }) => label))
  const start = textStart(labels, ruler)
  const inner = indented(screen)
  return block.fields.flatMap(({ label, lines, tone }) => {
    const rowsOf = (room: number) => lines.flatMap((line) => ruler.wrap(line, room))
    return labelledRows(label, rowsOf, tone, start, inner, ruler)
  })
}

function indented(screen: Screen): Screen {
  return screen.columns === null ? screen : { ...screen, columns: screen.columns - INDENT }
}

/** Yields the lines of a table in batches, without trailing blank lines. */
async function* tableLines({ rows, columns }: TableBlock, outer: Screen, context: ViewContext) {
  const [{ Table }, { openFrames }] = await Promise.all([import('../table/table.ts'), import('../table/frame.ts')])
  const inner = indented(outer)
  const screen = inner.columns === null ? inner : { ...inner, columns: Math.max(MIN_TEXT_WIDTH, inner.columns) }
  const table = new Table(columns, context, { frameOf: await openFrames(), screen })
  table.foresee(rows)
  let blank = ''
  for (let at = 0; at < rows.length; at += ROWS_PER_BATCH) {
    const isLast = at + ROWS_PER_BATCH >= rows.length
    const text = blank + (await table.rows(rows.slice(at, at + ROWS_PER_BATCH))) + (isLast ? await table.flush() : '')
    const shown = text.trimEnd()
    // Hold back blank lines until another line follows, so that the output does not end with them.
    blank = text.slice(shown.length).replace(/^[^\n]*\n/, '')
    if (shown !== '') yield shown.split('\n')
  }
  const hidden = table.hidden.map((column) => column.header.toLowerCase())
  if (hidden.length === 0) return
  const { hangingLines } = await import('../text/message-lines.ts')
  const note = await hangingLines(`Not shown: ${hidden.join(', ')}. See -o json`, screen)
  yield note.map((line) => paint('dim', line, screen))
}

/**
 * Returns the non-blank members that no section shows. `*` in a path matches every list item, as in
 * `tables.*.tableName`. `customer.**` covers everything below `customer`. The path of an object covers all its members,
 * unless paths below it are listed too.
 */
function leftovers(record: JsonObject, shownPaths: readonly string[]): (readonly [path: string, value: JsonValue])[] {
  const shown = new Set(shownPaths)
  const parents = new Set(shownPaths.flatMap(prefixes))
  const uncovered = (object: JsonObject, prefix: string, pattern: string): (readonly [string, JsonValue])[] =>
    Object.entries(object).flatMap(([name, value]) => {
      const path = prefix + name
      const written = pattern + name
      if (value === undefined || isBlank(value) || shown.has(`${written}.**`)) return []
      if (parents.has(written) && isJsonObject(value)) return uncovered(value, `${path}.`, `${written}.`)
      if (shown.has(written)) return []
      if (!parents.has(`${written}.*`) || !Array.isArray(value)) return [[path, value]]
      return (value as readonly JsonValue[]).flatMap((item, index) =>
        isJsonObject(item) ? uncovered(item, `${path}.${index}.`, `${written}.*.`) : [[`${path}.${index}`, item]],
      )
    })
  return uncovered(record, '', '')
}

function prefixes(path: string): string[] {
  const names = path.split('.')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'))
}
