import { createHash } from 'node:crypto'

/**
 * Characters that esbuild leaves unescaped in one of ansis's regular expressions. Escaping them does not change what
 * the expression matches.
 */
const KNOWN = '[\u001b\u009b]'
const KNOWN_WRITTEN_OUT = '[\\x1b\\x9b]'

/**
 * Returns a bundle in the form that the launcher expects: a function, followed by a hash that identifies the bundle's
 * code cache. Without the function, the launcher would have to wrap and copy the source. The launcher reads the bundle
 * as latin1, so the bundle must be ASCII. Throws if a regular expression or a template contains other characters,
 * because esbuild escapes them only in strings.
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
