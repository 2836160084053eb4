import type { ErrorCode } from 'yaml'

const WORDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  BAD_DIRECTIVE: 'directives (%) are not allowed',
  BAD_DQ_ESCAPE: 'the text in double quotes has an invalid escape; use single quotes, or write \\\\ for \\',
  BAD_INDENT: 'the indentation is wrong, or a bracket is not closed',
  BAD_SCALAR_START: 'text cannot begin with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'this line contains a second colon with a space: put the text in quotes, or start a new line',
  BLOCK_IN_FLOW: 'a comma is missing, or a bracket is not closed',
  KEY_OVER_1024_CHARS: 'the name of a member is too long',
  MULTILINE_IMPLICIT_KEY: 'a colon and a space are missing after a name',
  TAB_AS_INDENT: 'the line is indented with a tab: use spaces',
  TAG_RESOLVE_FAILED: 'tags (!) are not allowed: write plain text',
}

/** Our replacements for the `yaml` package's messages about missing characters. */
const MISSING: readonly (readonly [said: RegExp, words: string])[] = [
  [/quote$/, 'a quote is not closed'],
  [/between/, 'a comma is missing'],
  [/end with/, 'a bracket is not closed'],
  [/map values|space after :/, 'a colon and a space are missing after a name'],
  [/without -/, 'the indentation is wrong, or "- " is missing at the start of an entry'],
]

/** Describes a syntax error. The `yaml` package's message (`said`) is not shown, because it might quote a secret. */
export function describeSyntaxError(code: ErrorCode, said: string): string {
  const known = WORDS[code] ?? (code === 'MISSING_CHAR' ? MISSING.find(([test]) => test.test(said))?.[1] : undefined)
  return known ?? 'neither YAML nor JSON: something is missing before this point, or this text is in the wrong place'
}
