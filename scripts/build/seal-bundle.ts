import { createHash } from 'node:crypto'

/**
 * A character that esbuild leaves unescaped in one of ansis's regular expressions. Escaping it does not change the
 * expression's meaning.
 */
const KNOWN = '[\u001b\u009b]'
const KNOWN_WRITTEN_OUT = '[\\x1b\\x9b]'

/**
 * Returns a bundle in the form that the launcher expects. It is a function, so that the launcher does not have to copy
 * its source. The bundle is ASCII, because it is read as latin1, and ends with a hash that identifies its code cache.
 * Throws for non-ASCII characters, which esbuild escapes in strings, but not in regular expressions, where they would
 * be misread.
 */
export function sealBundle(text: string, name: string): string {
  const ascii = text.replaceAll(KNOWN, KNOWN_WRITTEN_OUT).trimEnd()
  const at = ascii.search(/[^\0-\x7f]/)
  if (at >= 0)
    throw new Error(
      `${name} has ${JSON.stringify(ascii[at])} in a regular expression or a template: write it as an escape, here: ${ascii.slice(Math.max(0, at - 60), at + 60)}`,
    )
  const mark = createHash('sha256').update(ascii).digest('hex').slice(0, 32)
  return `(function(exports,require,module,__filename,__dirname){${ascii}\n})//${mark}\n`
}
