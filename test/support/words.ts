/** A command line as its words, split at its spaces: for one in which no argument holds a space. */
export function words(line: string): string[] {
  return line.split(' ')
}

/** A line of shell that only calls the tool: the variables before it, and its words. */
export interface PlainLine {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** Words in which a shell has nothing to do but to take the quotes off. */
const WORD = String.raw`(?:[\w@%+=:,./-]|'[^']*'|"[^"$\x60\\!]*")+`
const PLAIN_LINE = new RegExp(`^${WORD}(?: +${WORD})*$`)

/** Reads a line of shell as the shell would; null where it does more than to call the tool once with these words. */
export function readPlainLine(line: string): PlainLine | null {
  if (!PLAIN_LINE.test(line.trim())) return null
  const parts = line.match(new RegExp(WORD, 'g')) ?? []
  const texts = parts.map((part) => part.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
  const at = parts.findIndex((part) => !/^[A-Z_]+=/.test(part))
  if (parts[at] !== 'partner') return null
  const env = Object.fromEntries(
    texts.slice(0, at).map((text) => [text.split('=', 1)[0], text.replace(/^[A-Z_]+=/, '')]),
  )
  return { env, args: texts.slice(at + 1) }
}
