import { createHash } from 'node:crypto'

/** Left by esbuild in a regular expression of ansis, which takes escape codes away; written out, it is the same expression. */
const KNOWN = '[\u001b\u009b]'
const KNOWN_WRITTEN_OUT = '[\\x1b\\x9b]'

/**
 * A bundle as the launcher wants it: a function, so that the launcher need not copy the text to make it one; ASCII, as it is read
 * as latin1; and ended by a mark that tells it from every other, by which its code cache is known. Fails for any other letter: esbuild writes those of strings out, but not those of regular
 * expressions, which would come to mean something else.
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
