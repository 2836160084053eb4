/** The longest command line that cmd.exe runs, in characters. */
const MAX_LENGTH = 8191

/**
 * Matches arguments that need no quotes: characters without a special meaning to cmd.exe or to programs, and no
 * backslash at the end.
 */
const PLAIN = /^[\w#$*+./:@\\-]*[\w#$*+./:@-]$/

/**
 * Returns the argument after `cmd.exe /d /s /e:on /v:off /c` that runs a batch file, including its outer quotes. The
 * batch file receives each argument unchanged, and so does a program to which it passes `%*`. Nothing in an argument is
 * run or expanded.
 *
 * Throws an error if the line is too long for cmd.exe, or if an argument contains a line break, because cmd.exe ignores
 * everything after it.
 *
 * Source: `make_bat_command_line` in Rust's standard library, written for CVE-2024-24576 ("BatBadBut"). Other libraries
 * escape with carets, which do not protect arguments that a batch file passes on, because cmd.exe then parses them a
 * second time.
 */
export function batchLine(script: string, args: readonly string[]): string {
  if (args.some((arg) => /[\r\n\0]/.test(arg)))
    throw new Error('an argument contains a line break, which cmd.exe cannot pass to a batch file')
  const line = `"${[quote(script), ...args.map((arg) => (PLAIN.test(arg) ? arg : quote(arg)))].join(' ')}"`
  if (line.length > MAX_LENGTH)
    throw new Error(`its command line would be longer than the ${MAX_LENGTH} characters that cmd.exe accepts`)
  return line
}

/**
 * Quotes an argument. Doubles each quote within it, so that cmd.exe treats the text after it as quoted. Doubles
 * backslashes only before a quote. Inserts `%cd:~,%`, which cmd.exe expands to nothing, after each percent sign, so
 * that the sign cannot start a variable name.
 */
function quote(arg: string): string {
  const text = arg.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&')
  return `"${text.replaceAll('%', '%%cd:~,%')}"`
}
