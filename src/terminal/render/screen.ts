/** The capabilities of an output stream. Drawing code uses this instead of the stream. */
export interface Screen {
  /** Width of the terminal; `null` if it is not a terminal, in which case nothing is truncated, hidden or wrapped. */
  readonly columns: number | null
  readonly color: boolean
}

type OutputStream = { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

const DEFAULT_COLUMNS = 80

/** Returns the screen of a stream. `FORCE_COLOR` overrides `NO_COLOR`, as in Node. `COLUMNS` is the fallback width. */
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
