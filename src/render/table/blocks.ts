import type { Screen } from '../screen.ts'
import { terminalSafe } from '../text/safe-text.ts'
import { paint, type Tone } from '../text/tone.ts'
import type { Ruler } from '../text/width.ts'
import type { Column } from '../view.ts'
import type { Measured } from './frame.ts'
import { staysWhole } from './layout.ts'

/** A cell, safe for a terminal and measured. */
export interface DrawnCell extends Measured {
  readonly tone: Tone | null
}

const LABEL_GAP = 2
/** A longer label does not move the texts of the others to the right. */
const WIDEST_LABEL = 24
/** Texts are not wrapped to less than this, however narrow the screen. */
const NARROWEST_TEXT = 16

/** Draws records below each other, a labelled line for each column: what a table becomes on a screen that is too narrow for it. */
export class Blocks {
  readonly #labels: readonly { readonly text: string; readonly width: number }[]
  readonly #start: number
  #isFirst = true

  readonly #columns: readonly Column[]
  readonly #available: number
  readonly #screen: Screen
  readonly #ruler: Ruler

  /** @param available the width of the screen. */
  constructor(columns: readonly Column[], available: number, screen: Screen, ruler: Ruler) {
    this.#columns = columns
    this.#available = available
    this.#screen = screen
    this.#ruler = ruler
    this.#labels = columns.map(({ header }) => {
      const text = terminalSafe(header)
      return { text, width: ruler.width(text) }
    })
    const widths = this.#labels.map(({ width }) => width).filter((width) => width <= WIDEST_LABEL)
    this.#start = Math.max(0, ...widths) + LABEL_GAP
  }

  /** The lines of one record, with an empty line before all but the first. */
  block(cells: readonly DrawnCell[]): string {
    const before = this.#isFirst ? '' : '\n'
    this.#isFirst = false
    const lines = this.#columns.flatMap((column, index) => this.#lines(column, index, cells[index]))
    return before + lines.map((line) => `${line.trimEnd()}\n`).join('')
  }

  #lines(column: Column, index: number, cell: DrawnCell | undefined): string[] {
    const label = this.#labels[index]
    if (!cell || !label || (cell.text === '' && !column.asked)) return []
    const start = Math.max(this.#start, label.width + LABEL_GAP)
    const room = Math.max(NARROWEST_TEXT, this.#available - start)
    const isWhole = staysWhole(cell.text, column.flex === undefined)
    return (isWhole ? [cell.text] : this.#ruler.wrap(cell.text, room)).map((text, row) => {
      const lead =
        row === 0 ? paint('dim', label.text, this.#screen) + ' '.repeat(start - label.width) : ' '.repeat(start)
      return lead + paint(cell.tone, text, this.#screen)
    })
  }
}
