const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * The strings that stand under some names in a JSON object, at its top level, without parsing the rest: this is done for every
 * record of a long list. The text must be valid JSON. Null when it cannot tell: no object, or a name with an escape in it.
 */
export function topStrings(text: string, names: readonly string[]): (string | undefined)[] | null {
  if (text.charCodeAt(0) !== 0x7b /* { */) return null
  const found: (string | undefined)[] = names.map(() => undefined)
  let at = text.indexOf('"', 1)
  while (at > 0) {
    const nameEnd = text.indexOf('"', at + 1)
    const name = text.slice(at + 1, nameEnd)
    if (name.includes('\\')) return null
    const from = skipSpace(text, text.indexOf(':', nameEnd) + 1)
    const to = endOfValue(text, from)
    const place = names.indexOf(name)
    // Of two members by one name the last counts, as for JSON.parse.
    if (place >= 0) found[place] = stringOf(text, from, to)
    at = text.indexOf('"', to)
  }
  return found
}

function stringOf(text: string, from: number, to: number): string | undefined {
  const first = text.charCodeAt(from)
  const raw = text.slice(from, to)
  if (first === QUOTE) return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
  return first === 0x2d || (first >= 0x30 && first <= 0x39) ? raw : undefined
}

/** The index after the value that begins here. */
function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return endOfString(text, from)
  if (first !== 0x7b && first !== 0x5b) return endOfScalar(text, from)
  let depth = 0
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
}

function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (text.charCodeAt(at - 1) === BACKSLASH && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1
  while (text.charCodeAt(at) === BACKSLASH) at--
  return (quote - at) % 2 === 0
}

function endOfScalar(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x2c || code === 0x7d || code <= 0x20) return at
    at++
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}
