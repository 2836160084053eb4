/** A command line as its words, split at its spaces: for one in which no argument holds a space. */
export const words = (line: string): string[] => line.split(' ')

/** A line of shell that only calls the tool: the variables before it, and its words. */
export interface PlainLine {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** Words in which a shell has nothing to do but to take the quotes off. */
const WORD = String.raw`(?:[\w@%+=:,./-]|'[^']*'|"[^"$\x60\\!]*")+`
const PLAIN_LINE = new RegExp(`^${WORD}(?: +${WORD})*$`)
/** `echo 'text' | partner …`, and `partner … > file`: what is before and after the call of the tool. */
const FED_LINE = new RegExp(`^(?:echo( -n)? (${WORD}) \\| )?(.*?)(?: > (${WORD}))?$`)

export interface Call extends PlainLine {
  /** What `echo` writes to its standard input. */
  readonly input?: string
  /** The file that its standard output goes to. */
  readonly file?: string
}

/** Reads a line of shell as the shell would; null where it does more than to call the tool once with these words. */
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

/** Reads a line of shell that calls the tool several times, joined by `&&`; null where the shell does more than a {@link Call} says. */
export function readCalls(line: string): readonly Call[] | null {
  const calls = line
    .trim()
    .split(/ && (?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)
    .map(readCall)
  return calls.every((call) => call !== null) ? calls : null
}

function readCall(text: string): Call | null {
  const [, isUnended, echoed, line = '', file] = FED_LINE.exec(text) ?? []
  const plain = readPlainLine(line)
  if (plain === null) return null
  const input = echoed === undefined ? undefined : unquote(echoed) + (isUnended ? '' : '\n')
  return { ...plain, ...(input === undefined ? {} : { input }), ...(file === undefined ? {} : { file: unquote(file) }) }
}

const unquote = (word: string): string => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double)
