import { parseJson } from '../base/json/parse.ts'
import type { Mistake, Variant } from './variant.ts'

const MAX_JSON_BYTES = 1024 ** 2

/** A JSON formatting style. `what` describes the style as a mistake, or is `null` if the style is not a mistake. */
type Way<T> = { readonly what: string | null; readonly how: T }

type Writer = (text: string) => string
type Layout = { readonly indent: string | null; readonly space: '' | ' ' }

const again = (how: string) => `the body was parsed and reserialized ${how}`
const LAYOUTS: readonly Way<Layout>[] = [
  { what: again('without whitespace'), how: { indent: null, space: '' } },
  { what: again('with a space after each comma and colon'), how: { indent: null, space: ' ' } },
  { what: again('indented by 2 spaces'), how: { indent: '  ', space: ' ' } },
  { what: again('indented by 4 spaces'), how: { indent: '    ', space: ' ' } },
  { what: again('indented by tabs'), how: { indent: '\t', space: ' ' } },
]

/** The ways to write slashes in JSON. PHP escapes them. */
const SLASHES: readonly Way<Writer>[] = [
  { what: 'the escaped slashes (\\/) in the JSON body were unescaped', how: (text) => text },
  { what: 'the slashes in the JSON body were escaped (\\/)', how: (text) => text.replaceAll('/', '\\/') },
]

const upperCase = (digits: string) => digits.toUpperCase()
const LETTERS: readonly Way<Writer>[] = [
  { what: 'the escaped letters (\\u00eb) in the JSON body were unescaped', how: (text) => text },
  letters('the non-ASCII letters in the JSON body were escaped (\\u00eb)', /[^\0-\x7f]/g, (digits) => digits),
  letters('the non-ASCII letters in the JSON body were escaped in upper case (\\u00EB)', /[^\0-\x7f]/g, upperCase),
  letters(
    'special characters in the JSON body were escaped as in .NET (\\u002B)',
    /[^\0-\x7f]|[&'+<>`]|\\"/g,
    upperCase,
  ),
]

/**
 * Yields the variants of a body that a program could produce by parsing and serializing it. Each difference counts as a
 * mistake. Mistakes are combined only if `thorough` is true.
 */
export function* listJsonVariants(body: Uint8Array, instead: string, thorough: boolean): Generator<Variant> {
  if (body.length === 0 || body.length > MAX_JSON_BYTES) return
  const json = takeApart(Buffer.from(body).toString('utf8'))
  if (json === null) return
  const own = findOwnStyle(json)
  const bare = { head: '', tail: '' }
  const edges = json.head + json.tail === '' ? [bare] : [{ head: json.head, tail: json.tail }, bare]
  for (const layout of own.layout === null ? [null, ...LAYOUTS] : LAYOUTS)
    for (const sorted of layout === null ? [false] : [false, true])
      for (const slashes of SLASHES)
        for (const escaped of LETTERS)
          for (const numbers of listNumbers(json)) {
            const mistakes = [
              layout === null || layout === own.layout ? null : layout.what,
              sorted ? 'the members of the JSON body were sorted by name' : null,
              slashes === own.slashes ? null : slashes.what,
              escaped === own.letters ? null : escaped.what,
              numbers.what,
            ].flatMap((what): Mistake[] => (what === null ? [] : [{ what, instead }]))
            if (mistakes.length === 0 || (!thorough && mistakes.length > 1)) continue
            const scalar = writeScalar(slashes.how, escaped.how, numbers.how)
            const text =
              layout === null
                ? rewriteScalars(json.core, scalar)
                : writeJson(json.value, { ...layout.how, sorted, scalar })
            for (const { head, tail } of edges)
              yield { text: Buffer.from(head + text + tail).toString('latin1'), mistakes }
          }
}

function findOwnStyle({ core, value }: JsonText) {
  const asIs = (written: string) => written
  const layout = LAYOUTS.find(({ how }) => writeJson(value, { ...how, sorted: false, scalar: asIs }) === core) ?? null
  for (const slashes of SLASHES)
    for (const escaped of LETTERS)
      if (rewriteScalars(core, writeScalar(slashes.how, escaped.how, asIs)) === core)
        return { layout, slashes, letters: escaped }
  return { layout, slashes: SLASHES[0], letters: null }
}

function writeScalar(slashes: Writer, letter: Writer, number: Writer): Writer {
  return (written) => (written.startsWith('"') ? letter(slashes(JSON.stringify(JSON.parse(written)))) : number(written))
}

/**
 * Returns the ways that programming languages rewrite numbers. For example, JavaScript changes `25.00` to `25`, and
 * Python changes it to `25.0`.
 */
function listNumbers({ core }: JsonText): Way<Writer>[] {
  const found = core.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)?.filter((token) => !token.startsWith('"')) ?? []
  const ways = [writeLikeJavaScript, writeLikePython].flatMap((how) => {
    const changed = found.find((number) => how(number) !== number)
    return changed === undefined
      ? []
      : [{ what: `the numbers in the JSON body were rewritten (${changed} as ${how(changed)})`, how }]
  })
  return [{ what: null, how: (number) => number }, ...ways]
}

function writeLikeJavaScript(number: string): string {
  return JSON.stringify(JSON.parse(number))
}

function writeLikePython(number: string): string {
  const written = writeLikeJavaScript(number)
  return /[.e]/i.test(number) ? written.replace(/^-?\d+$/, '$&.0') : number
}

function letters(what: string, pattern: RegExp, digitCase: Writer): Way<Writer> {
  return {
    what,
    how: (text) =>
      `"${text.slice(1, -1).replace(pattern, (found) => `\\u${digitCase(found.slice(-1).charCodeAt(0).toString(16).padStart(4, '0'))}`)}"`,
  }
}

type JsonText = { readonly head: string; readonly core: string; readonly tail: string; readonly value: JsonNode }

/** A JSON value: the original text of a scalar, the members of an object, or the elements of an array. */
type JsonNode = string | { readonly open: '{' | '['; readonly items: readonly JsonItem[] }

/** A member of an object, with the original text of its key. An element of an array has the key `null`. */
type JsonItem = { readonly key: string | null; readonly value: JsonNode }

interface JsonStyle {
  /** The indentation for each level; `null` to write everything on one line. */
  readonly indent: string | null
  readonly space: '' | ' '
  readonly sorted: boolean
  readonly scalar: (written: string) => string
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Parses JSON but keeps the original text of each token. Returns `null` if the text is not JSON or is nested too
 * deeply.
 */
function takeApart(text: string): JsonText | null {
  const [head = ''] = /^\uFEFF?[\t\n\r ]*/.exec(text) ?? []
  const core = text.slice(head.length).replace(/[\t\n\r ]+$/, '')
  const tail = text.slice(head.length + core.length)
  try {
    parseJson(core)
    return { head, core, tail, value: readNode(core.match(TOKEN) ?? [], { at: 0 }) }
  } catch {
    return null
  }
}

function readNode(tokens: readonly string[], place: { at: number }): JsonNode {
  const open = tokens[place.at++] ?? ''
  if (open !== '{' && open !== '[') return open
  const items: JsonItem[] = []
  while (tokens[place.at] !== '}' && tokens[place.at] !== ']') {
    if (tokens[place.at] === ',') place.at++
    const key = open === '{' ? (tokens[place.at] ?? '') : null
    if (key !== null) place.at += 2
    items.push({ key, value: readNode(tokens, place) })
  }
  place.at++
  return { open, items }
}

function writeJson(node: JsonNode, style: JsonStyle, level = 0): string {
  if (typeof node === 'string') return style.scalar(node)
  const { open, items } = node
  const close = open === '{' ? '}' : ']'
  if (items.length === 0) return open + close
  const { indent, space } = style
  const [before, between, after] =
    indent === null
      ? ['', `,${space}`, '']
      : [`\n${indent.repeat(level + 1)}`, `,\n${indent.repeat(level + 1)}`, `\n${indent.repeat(level)}`]
  const written = (style.sorted && open === '{' ? sortMembers(items) : items).map(({ key, value }) => {
    const text = writeJson(value, style, level + 1)
    return key === null ? text : `${style.scalar(key)}:${space}${text}`
  })
  return open + before + written.join(between) + after + close
}

function rewriteScalars(core: string, scalar: JsonStyle['scalar']): string {
  return core.replace(TOKEN, (token) => (/^[{}[\],:]$/.test(token) ? token : scalar(token)))
}

function sortMembers(items: readonly JsonItem[]): JsonItem[] {
  const named = items.map((item) => ({ item, name: String(parseJson(item.key ?? '""')) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ item }) => item)
}
