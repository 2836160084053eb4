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
  readonly #labels: readonly string[]
  #isFirst = true

  readonly #columns: readonly Column[]
  readonly #available: number
  readonly #screen: Screen

  /** @param available the width of the screen. */
  constructor(columns: readonly Column[], available: number, screen: Screen) {
    this.#columns = columns
    this.#available = available
    this.#screen = screen
    this.#labels = columns.map(({ header }) => terminalSafe(header))
  }

  /** The lines of one record, with an empty line before all but the first. */
  block(cells: readonly DrawnCell[], ruler: Ruler): string {
    const before = this.#isFirst ? '' : '\n'
    this.#isFirst = false
    const widths = this.#labels.map((label) => ruler.width(label)).filter((width) => width <= WIDEST_LABEL)
    const usual = Math.max(0, ...widths) + LABEL_GAP
    const lines = this.#columns.flatMap((column, index) => this.#lines(column, index, cells[index], { ruler, usual }))
    return before + lines.map((line) => `${line.trimEnd()}\n`).join('')
  }

  #lines(
    column: Column,
    index: number,
    cell: DrawnCell | undefined,
    { ruler, usual }: { readonly ruler: Ruler; readonly usual: number },
  ): string[] {
    const label = this.#labels[index]
    if (!cell || label === undefined || (cell.text === '' && !column.asked)) return []
    const width = ruler.width(label)
    const start = Math.max(usual, width + LABEL_GAP)
    const room = Math.max(NARROWEST_TEXT, this.#available - start)
    const isWhole = staysWhole(cell.text, column.flex === undefined)
    return (isWhole ? [cell.text] : ruler.wrap(cell.text, room)).map((text, row) => {
      const lead = row === 0 ? paint('dim', label, this.#screen) + ' '.repeat(start - width) : ' '.repeat(start)
      return lead + paint(cell.tone, text, this.#screen)
    })
  }
}
