/** A column of a table. `width` is in terminal columns. */
export type FrameColumn = { readonly width: number; readonly align: 'left' | 'right' }

/** Text and its width in terminal columns. */
export type Measured = { readonly text: string; readonly width: number }

/** Draws one line of a table. A cell that is too wide pushes the following cells to the right. */
export type Frame = (cells: readonly Measured[]) => string

/** The number of spaces between columns. */
export const GAP = 2

const PLACEHOLDER = '\ue000'

/**
 * Loads cli-table3. The library measures emoji incorrectly, so it lays out placeholders, which are replaced with the
 * cells later. Layouts are cached, because creating one is slow.
 */
export async function openFrames(): Promise<(columns: readonly FrameColumn[]) => Frame> {
  const { default: Table } = await import('cli-table3')
  const drawn = new Map<string, Frame>()
  return (columns) => {
    const key = columns.map(({ width, align }) => width + align).join()
    const known = drawn.get(key)
    if (known) return known
    const table = new Table({
      chars: { ...NO_BORDERS, middle: ' '.repeat(GAP) },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      colWidths: columns.map((column) => Math.max(column.width, 1)),
    })
    table.push(columns.map((column) => PLACEHOLDER.repeat(Math.max(column.width, 1))))
    const frame = frameAround(table.toString().split(new RegExp(`${PLACEHOLDER}+`)), columns)
    if (drawn.size >= MAX_CACHED_FRAMES) drawn.clear()
    drawn.set(key, frame)
    return frame
  }
}

const MAX_CACHED_FRAMES = 100

function frameAround(between: readonly string[], columns: readonly FrameColumn[]): Frame {
  return (cells) => {
    let line = between[0] ?? ''
    columns.forEach((column, index) => {
      line += padded(cells[index] ?? NOTHING, column) + (between[index + 1] ?? '')
    })
    return line.trimEnd()
  }
}

const NOTHING: Measured = { text: '', width: 0 }

function padded(cell: Measured, column: FrameColumn): string {
  const padding = ' '.repeat(Math.max(0, column.width - cell.width))
  return column.align === 'right' ? padding + cell.text : cell.text + padding
}

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
const NO_BORDERS = Object.fromEntries(BORDERS.split(' ').map((name) => [name, '']))
