import { listJsonVariants } from './json-mistakes.ts'
import { applyTo, type Change, type Counted, eachOnce, makePairs, makeSingles, type Variant } from './variant.ts'

/** The byte order mark in UTF-8, as a string with one character for each byte. */
const MARK = '\xef\xbb\xbf'

/** The maximum number of differences that a program usually introduces when it parses and serializes JSON. */
const USUAL_REWRITES = 2

/**
 * Returns variants of the body with common mistakes, grouped by the number of mistakes. With `thorough`, also combines
 * mistakes in rewritten JSON.
 */
export function countBodies(body: Uint8Array, thorough: boolean): Counted<Variant> {
  // Decoding as latin1 preserves every byte, regardless of the body's encoding.
  const right = Buffer.from(body).toString('latin1')
  const asSent = `sign the body (${body.length === 1 ? '1 byte' : `${body.length} bytes`}) exactly as it is sent`
  const changes = listTextChanges(body.length === 0 ? 'sign only the URL, because the body is empty' : asSent)
  const singles = makeSingles(right, changes)
  const fresh = eachOnce([right, ...singles.map(({ text }) => text)])
  const all = [...fresh(listJsonVariants(body, `${asSent}, before it is parsed`, thorough))]
  const rewritten = all
    .filter(({ mistakes }) => mistakes.length <= USUAL_REWRITES)
    .sort((a, b) => a.mistakes.length - b.mistakes.length)
  // The pairs are generated lazily, because there can be thousands of them.
  const pairs = function* () {
    yield* makePairs(right, singles, changes)
    for (const one of rewritten) for (const change of changes) yield* applyTo(one, change)
    yield* all.filter(({ mistakes }) => mistakes.length > USUAL_REWRITES)
  }
  return (count) => [[{ text: right, mistakes: [] }], [...singles, ...rewritten], pairs()][count] ?? []
}

function listTextChanges(asSent: string): Change[] {
  const change = (what: string, detail: string, apply: Change['apply']): Change => ({
    what: `the body was signed ${what}`,
    instead: detail === '' ? asSent : `${asSent}, ${detail}`,
    apply,
  })
  const noBreak = 'without an extra line break'
  return [
    change('with an extra trailing line break', noBreak, (text) => `${text}\n`),
    change('with an extra trailing line break (CR LF)', noBreak, (text) => `${text}\r\n`),
    change('without the trailing line break', 'with the trailing line break', (text) => text.replace(/\r?\n$/, '')),
    change('with LF line breaks instead of CR LF', 'with its CR LF line breaks', toLf),
    change('with CR LF line breaks instead of LF', 'with its LF line breaks', (text) =>
      toLf(text).replaceAll('\n', '\r\n'),
    ),
    change('with a leading byte order mark', 'without a byte order mark (EF BB BF)', (text) =>
      text.startsWith(MARK) ? null : MARK + text,
    ),
    change('without the leading byte order mark', 'with the byte order mark (EF BB BF)', (text) =>
      text.startsWith(MARK) ? text.slice(MARK.length) : null,
    ),
    change('without the whitespace around it', 'with the whitespace around it', (text) =>
      text.replace(/^[\t\n\r ]+/, '').replace(/[\t\n\r ]+$/, ''),
    ),
    change('as if it were empty', 'not an empty body', () => ''),
    ...['{}', '[]', 'null', '""'].map((empty) =>
      change(`as ${empty}, although it is empty`, `not ${empty}`, (text) => (text === '' ? empty : null)),
    ),
  ]
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
