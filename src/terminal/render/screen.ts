/** The capabilities of an output stream. Drawing code uses these instead of the stream itself. */
export interface Screen {
  /**
   * The terminal's width, or `null` if the stream is not a terminal. Without a terminal, nothing is truncated, hidden
   * or wrapped.
   */
  readonly columns: number | null
  readonly color: boolean
}

type OutputStream = { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

const DEFAULT_COLUMNS = 80

/**
 * Returns the capabilities of a stream. As in Node, `FORCE_COLOR` overrides `NO_COLOR`. `COLUMNS` is used if the stream
 * does not report a width.
 */
export function screenOf(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): Screen {
  const isTerminal = stream.isTTY === true
  return {
    columns: isTerminal ? positive(stream.columns) || positive(Number(env['COLUMNS'])) || DEFAULT_COLUMNS : null,
    color: wantsColor(isTerminal, env),
  }
}

function wantsColor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env['FORCE_COLOR']
  if (forced) return forced !== '0' && forced.toLowerCase() !== 'false'
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false
  return isTerminal
}

function positive(columns: number | undefined): number {
  return columns !== undefined && Number.isInteger(columns) && columns > 0 ? columns : 0
}
