import type { ErrorCode } from 'yaml'

const WORDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  BAD_DIRECTIVE: 'a directive (%) is not taken',
  BAD_DQ_ESCAPE: 'the text in double quotes has an escape that does not exist; use single quotes, or write \\\\ for \\',
  BAD_INDENT: 'the indentation is wrong, or a bracket is not closed',
  BAD_SCALAR_START: 'text cannot begin with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'one line has two names with a colon and a space: put the text in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'a comma is missing, or a bracket is not closed',
  KEY_OVER_1024_CHARS: 'the name of a member is too long',
  MULTILINE_IMPLICIT_KEY: 'a colon and a space are missing behind a name',
  TAB_AS_INDENT: 'a tab indents the line: use spaces',
  TAG_RESOLVE_FAILED: 'a tag (!) is not taken: write plain text',
}

/** What yaml says when a character is missing, and how we say it. */
const MISSING: readonly (readonly [said: RegExp, words: string])[] = [
  [/quote$/, 'a quote is not closed'],
  [/between/, 'a comma is missing'],
  [/end with/, 'a bracket is not closed'],
  [/map values|space after :/, 'a colon and a space are missing behind a name'],
  [/without -/, 'the indentation is wrong, or "- " is missing at the start of an entry'],
]

/**
 * A syntax error in words of ours: those of yaml quote the file, and what stands there may be a secret.
 * @param said yaml's words.
 */
export function syntaxWords(code: ErrorCode, said: string): string {
  const known = WORDS[code] ?? (code === 'MISSING_CHAR' ? MISSING.find(([test]) => test.test(said))?.[1] : undefined)
  return known ?? 'this is neither YAML nor JSON: something is missing before it, or it stands at the wrong place'
}
