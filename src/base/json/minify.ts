import { findStringEnd } from './parse.ts'

/** Removes the whitespace between tokens of valid JSON, so that it fits on one line, as NDJSON requires. */
export function minify(text: string): string {
  let out = ''
  let kept = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = findStringEnd(text, at)
    else if (code > 0x20) at++
    else {
      out += text.slice(kept, at)
      while (at < text.length && text.charCodeAt(at) <= 0x20) at++
      kept = at
    }
  }
  return kept === 0 ? text : out + text.slice(kept)
}
