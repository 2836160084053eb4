import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { Screen } from '../screen.ts'
import { memberText } from '../text/amount.ts'
import { labelledRows, textStart } from '../text/labelled.ts'
import { jsonOf } from '../text/plain-text.ts'
import { terminalSafe } from '../text/safe-text.ts'
import { type Cell, cellText, cellTone, paint, type Tone } from '../text/tone.ts'
import { openRuler, type Ruler } from '../text/width.ts'
import type { Column, ViewContext } from '../view.ts'
import type { Frame, FrameColumn, Measured } from './frame.ts'
import { isWholeId, type Layout, layOut, type ShownColumn, widen } from './layout.ts'

type DrawnCell = Measured & { readonly tone: Tone | null }

/** Returns a function that draws records as labelled lines, for screens that are too narrow for a table. */
function openBlocks(columns: readonly Column[], screen: Screen): (cells: readonly DrawnCell[], ruler: Ruler) => string {
  const labels = columns.map(({ header }) => terminalSafe(header))
  let before = ''
  return (cells, ruler) => {
    const start = textStart(labels, ruler)
    const lines = columns.flatMap((column, index) => {
      const { text, tone } = cells[index] ?? NO_CELL
      if (text === '' && !column.isRequested) return []
      const isWhole = isWholeId(text, column.flex === undefined)
      const rowsOf = (room: number) => (isWhole ? [text] : ruler.wrap(text, room))
      return labelledRows(labels[index] ?? '', rowsOf, tone, start, screen, ruler)
    })
    const block = before + lines.map((line) => `${line.trimEnd()}\n`).join('')
    before = '\n'
    return block
  }
}

export interface TableTools {
  readonly frameOf: (columns: readonly FrameColumn[]) => Frame
  readonly screen: Screen
  readonly headerless?: boolean | undefined
  /** Whether each row is drawn as soon as it arrives. If so, the first row determines the widths. */
  readonly isLive?: boolean | undefined
}

const SAMPLE_ROWS = 500
const NO_CELL: DrawnCell = { text: '', width: 0, tone: null }

/** Draws a table of any length in constant memory. The first rows are held back, because they determine the widths. */
export class Table {
  readonly #columns: readonly Column[]
  readonly #context: ViewContext
  readonly #tools: TableTools
  /** The columns where at least one row so far contains a number (`#numbers`) or any other value (`#others`). */
  readonly #numbers = new Set<number>()
  readonly #others = new Set<number>()
  #sample: DrawnCell[][] = []
  #layout: Layout | null = null
  #blockOf: ReturnType<typeof openBlocks> | null = null
  #frame: Frame = () => ''

  constructor(columns: readonly Column[], context: ViewContext, tools: TableTools) {
    this.#columns = columns
    this.#context = context
    this.#tools = tools
  }

  /** Notes which columns of the given rows contain only numbers, so that they are right-aligned from the first row. */
  foresee(records: readonly JsonObject[]): void {
    for (const record of records)
      for (const [index, { cell, path }] of this.#columns.entries())
        if (!cell) this.#noteKind(index, valueAt(record, path))
  }

  /** Adds rows. Returns the lines that can be printed now, or ''. */
  async rows(records: readonly JsonValue[]): Promise<string> {
    const rows = records.map((record) => this.#cells(record))
    const ruler = await openRuler(textsIn(rows, this.#columns))
    const cells = rows.map((row) => row.map((cell) => measured(cell, ruler)))
    return cells.map((row) => this.#row(row, ruler)).join('')
  }

  #row(cells: DrawnCell[], ruler: Ruler): string {
    if (this.#blockOf) return this.#blockOf(cells, ruler)
    if (this.#layout) return this.#line(cells, this.#layout.shown, ruler)
    this.#sample.push(cells)
    return this.#sample.length < (this.#tools.isLive ? 1 : SAMPLE_ROWS) ? '' : this.#start(false, ruler)
  }

  /** Returns the lines that are still held back, or ''. */
  async flush(): Promise<string> {
    if (this.#layout || this.#blockOf || this.#sample.length === 0) return ''
    return this.#start(true, await openRuler(textsIn(this.#sample, this.#columns)))
  }

  /** The columns that have content but do not fit on the screen. Empty until the first lines have been printed. */
  get hidden(): readonly Column[] {
    return this.#layout?.hidden ?? []
  }

  #start(whole: boolean, ruler: Ruler): string {
    const rows = this.#sample
    this.#sample = []
    const numeric = this.#columns.map((_, index) => this.#numbers.has(index) && !this.#others.has(index))
    const { screen, frameOf, headerless } = this.#tools
    this.#layout = layOut(this.#columns, numeric, rows, whole, screen, ruler)
    if (!this.#layout) {
      const blockOf = openBlocks(this.#columns, screen)
      this.#blockOf = blockOf
      return rows.map((cells) => blockOf(cells, ruler)).join('')
    }
    const { shown } = this.#layout
    this.#frame = frameOf(shown)
    const lines = rows.map((cells) => this.#line(cells, shown, ruler)).join('')
    if (headerless) return lines
    const header = this.#columns.map((column) => measured(drawn({ text: column.header, tone: 'dim' }), ruler))
    return this.#line(header, shown, ruler) + lines
  }

  #cells(record: JsonValue): CellText[] {
    if (!isJsonObject(record)) return this.#columns.map((_, index) => (index === 0 ? drawn(jsonOf(record)) : NO_CELL))
    return this.#columns.map((column, index) => {
      if (column.cell) return drawn(column.cell(record, this.#context))
      const value = valueAt(record, column.path)
      if (!this.#layout) this.#noteKind(index, value)
      return drawn(memberText(value, column.path))
    })
  }

  #noteKind(index: number, value: JsonValue | undefined): void {
    if (value !== undefined && value !== null) (numberText(value) === null ? this.#others : this.#numbers).add(index)
  }

  #line(cells: readonly DrawnCell[], shown: readonly ShownColumn[], ruler: Ruler): string {
    const { screen, frameOf } = this.#tools
    if (screen.columns === null && !screen.color)
      return `${this.#frame(shown.map(({ index }) => cells[index] ?? NO_CELL))}\n`
    const isLate =
      screen.columns !== null && shown.some(({ index, width, whole }) => whole && (cells[index]?.width ?? 0) > width)
    const columns = isLate ? widen(shown, cells, screen.columns) : shown
    const texts = columns.map(({ index, width, whole, wraps }): Measured[] => {
      const { text, tone, width: own } = cells[index] ?? NO_CELL
      if (screen.columns === null || own <= width || isWholeId(text, whole))
        return [{ text: paint(tone, text, screen), width: own }]
      const pieces = wraps ? ruler.wrap(text, width) : [ruler.truncate(text, width)]
      return pieces.map((piece) => ({ text: paint(tone, piece, screen), width: ruler.width(piece) }))
    })
    const frame = columns === shown ? this.#frame : frameOf(columns)
    const height = Math.max(1, ...texts.map((pieces) => pieces.length))
    const lines = Array.from({ length: height }, (_, row) => frame(texts.map((pieces) => pieces[row] ?? NO_CELL)))
    return `${lines.join('\n')}\n`
  }
}

type CellText = Omit<DrawnCell, 'width'>

function drawn(cell: Cell): CellText {
  return { text: terminalSafe(cellText(cell)), tone: cellTone(cell) }
}

function measured({ text, tone }: CellText, ruler: Ruler): DrawnCell {
  return { text, tone, width: ruler.width(text) }
}

function* textsIn(rows: readonly (readonly CellText[])[], columns: readonly Column[]): Generator<string> {
  for (const { header } of columns) yield terminalSafe(header)
  for (const row of rows) for (const { text } of row) yield text
}
