const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * The strings that stand under some names in a JSON object, at its top level, without parsing the rest: this is done for every
 * record of a long list. Null when it cannot tell: no object, a name with an escape in it, or text that is no JSON, though not all
 * of that is noticed.
 */
export function topStrings(text: string, names: readonly string[]): (string | undefined)[] | null {
  if (text.charCodeAt(0) !== 0x7b /* { */) return null
  const found: (string | undefined)[] = names.map(() => undefined)
  let at = text.indexOf('"', 1)
  while (at > 0) {
    const nameEnd = text.indexOf('"', at + 1)
    const colon = text.indexOf(':', nameEnd)
    if (nameEnd < 0 || colon < 0) return null
    const name = text.slice(at + 1, nameEnd)
    if (name.includes('\\')) return null
    const from = skipSpace(text, colon + 1)
    const to = endOfValue(text, from)
    if (to === BROKEN_OFF) return null
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

/** In place of an index: the text ends before the value does. */
const BROKEN_OFF = -1

/** The index after the value that begins here; {@link BROKEN_OFF}. */
function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return endOfString(text, from)
  if (first !== 0x7b && first !== 0x5b) return endOfScalar(text, from)
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (end === BROKEN_OFF) return BROKEN_OFF
      at = end - 1
    } else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
  return BROKEN_OFF
}

function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (text.charCodeAt(at - 1) === BACKSLASH && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? BROKEN_OFF : at + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1
  while (text.charCodeAt(at) === BACKSLASH) at--
  return (quote - at) % 2 === 0
}

function endOfScalar(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x2c || code === 0x7d || code <= 0x20) return at
    at++
  }
  return BROKEN_OFF
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}
