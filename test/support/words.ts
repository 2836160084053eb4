/** Splits a command line at spaces. Arguments must not contain spaces. */
export const words = (line: string): string[] => line.split(' ')

/** A shell line that only calls the tool, parsed into variables and arguments. */
export interface PlainLine {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** Matches a word that a shell does not change, except for removing quotes. */
const WORD = String.raw`(?:[\w@%+=:,./-]|'[^']*'|"[^"$\x60\\!]*")+`
const PLAIN_LINE = new RegExp(`^${WORD}(?: +${WORD})*$`)
/**
 * Matches `echo 'text' | partner …` and `partner … > file`. Captures the parts before and after the partner invocation.
 */
const REDIRECTED_LINE = new RegExp(`^(?:echo( -n)? (${WORD}) \\| )?(.*?)(?: > (${WORD}))?$`)

/** A partner invocation, with redirected input and output. */
export interface Call extends PlainLine {
  /** The text that `echo` pipes to the tool. */
  readonly input?: string
  /** The file that standard output is redirected to. */
  readonly file?: string
}

/** Parses a shell line as a shell does. Returns `null` if the line does more than call the tool once. */
export function readPlainLine(line: string): PlainLine | null {
  if (!PLAIN_LINE.test(line.trim())) return null
  const parts = line.match(new RegExp(WORD, 'g')) ?? []
  const texts = parts.map(unquote)
  const at = parts.findIndex((part) => !/^[A-Z_]+=/.test(part))
  if (parts[at] !== 'partner') return null
  const env = Object.fromEntries(
    texts.slice(0, at).map((text) => [text.split('=', 1)[0], text.replace(/^[A-Z_]+=/, '')]),
  )
  return { env, args: texts.slice(at + 1) }
}

/** Parses a shell line that consists of calls joined by `&&`. Returns `null` if it contains anything else. */
export function readCalls(line: string): readonly Call[] | null {
  const calls = line
    .trim()
    .split(/ && (?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)
    .map(readCall)
  return calls.every((call) => call !== null) ? calls : null
}

function readCall(text: string): Call | null {
  const [, isUnended, echoed, line = '', file] = REDIRECTED_LINE.exec(text) ?? []
  const plain = readPlainLine(line)
  if (plain === null) return null
  const input = echoed === undefined ? undefined : unquote(echoed) + (isUnended ? '' : '\n')
  return { ...plain, ...(input === undefined ? {} : { input }), ...(file === undefined ? {} : { file: unquote(file) }) }
}

const unquote = (word: string): string => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double)
