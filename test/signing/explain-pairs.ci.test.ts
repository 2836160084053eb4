import { describe, expect, test } from 'vitest'
import { explainMismatch } from '../../src/signing/explain.ts'
import { inBody, inKey, inUrl, type MadeMistake, type Making, makeSignature, toInput } from './made-mistakes.ts'

const SECRET = 'deadbeef00112233'
const OTHER = 'cafe5678cafe5678'
const OTHERS = [{ name: 'the signing secret of profile prod', secret: OTHER, instead: 'use that of profile dev' }]

const toLower = (text: string) => text.toLowerCase()
const DECODED = 'the URL was signed with its percent-encoding decoded'
const HOST_IN_CAPITALS = 'PARTNER.EXAMPLE.COM'
const withTail = (end: string) => inBody(({ tail = '' }) => ({ tail: tail + end }))
const written =
  (write: (digest: Buffer) => string): MadeMistake[2] =>
  (making) => ({ ...making, write })
const decodeUrl: MadeMistake[2] = (making) => ({ ...making, url: decodeURIComponent(making.url) })

const VALUE = { holder: 'Zoë', card: { b: 'x/y', a: 25 } }
/** A plain request. Most of the mistakes in {@link ADDING} add something to it. */
const PLAIN: Making = {
  url: 'https://partner.example.com/partners/acme/gift%2fcards?test=1&name=Zo%C3%AB',
  body: { value: { ...VALUE, tags: [1, 2] }, indent: 'spaced' },
  key: Buffer.from(SECRET),
}
const ADDING: readonly MadeMistake[] = [
  ['URL first', 'the URL was prepended to the body', (making) => ({ ...making, urlFirst: true })],
  ['no query', 'the URL was signed without its query', inUrl(/\?.*/, '')],
  ['slash', 'the URL was signed with a slash added to its path', inUrl(/(?<!\/)(?=\?|$)/, '/')],
  ['scheme', 'the URL was signed with http://', inUrl('https://', 'http://')],
  ['host case', 'the URL was signed with its host in upper case', inUrl('partner.example.com', HOST_IN_CAPITALS)],
  ['port', 'the URL was signed with its default port', inUrl(/^(https:\/\/[^/]+)|^(http:\/\/[^/]+)/, '$1$2:443')],
  ['path and query', 'only the path and query of the URL were signed', inUrl(/^https?:\/\/[^/]+/, '')],
  ['path', 'only the path of the URL was signed', inUrl(/^https?:\/\/[^/]+([^?]*).*/, '$1')],
  ['escapes', 'the URL was signed with its percent-encoding in upper case (%2F)', inUrl('%2f', '%2F')],
  ['decoded', DECODED, decodeUrl],
  ['twice', 'the URL was signed percent-encoded a second time', inUrl(/%/g, '%25')],
  ['newline', 'the body was signed with an extra trailing line break', withTail('\n')],
  ['CR LF', 'the body was signed with an extra trailing line break (CR LF)', withTail('\r\n')],
  ['mark', 'the body was signed with a leading byte order mark', inBody({ head: '\ufeff' })],
  ['compact', 'the body was parsed and reserialized without whitespace', inBody({ indent: null })],
  ['by 2', 'the body was parsed and reserialized indented by 2 spaces', inBody({ indent: 2 })],
  ['by 4', 'the body was parsed and reserialized indented by 4 spaces', inBody({ indent: 4 })],
  ['sorted', 'the members of the JSON body were sorted by name', inBody({ sorted: true })],
  ['slashes', 'the slashes in the JSON body were escaped (\\/)', inBody({ slashes: true })],
  ['unicode', 'the non-ASCII letters in the JSON body were escaped (\\u00eb)', inBody({ unicode: true })],
  ['no body', 'only the URL was signed, without the body', inBody({ empty: true })],
  ['other secret', 'the signing secret of profile prod was used', inKey(() => OTHER)],
  ['space', 'the secret was used with a trailing space', inKey((key) => `${key} `)],
  ['spaces', 'the secret was used with spaces around it', inKey((key) => ` ${key} `)],
  ['break', 'the secret was used with a trailing line break', inKey((key) => `${key}\n`)],
  ['quotes', 'the secret was used with double quotes around it', inKey((key) => `"${key}"`)],
  ['hex', 'the secret was used decoded from hexadecimal', inKey((key) => Buffer.from(key, 'hex'))],
  ['base64 secret', 'the secret was used decoded from base64', inKey((key) => Buffer.from(key, 'base64'))],
  ['SHA-1', 'SHA-1 was used instead of SHA-256', (making) => ({ ...making, hash: 'sha1' })],
  ['SHA-512', 'SHA-512 was used instead of SHA-256', (making) => ({ ...making, hash: 'sha512' })],
  ['upper', 'the signature is in upper case', written((digest) => digest.toString('hex').toUpperCase())],
  ['base64', 'the signature is encoded in base64 instead of hexadecimal', written((hash) => hash.toString('base64'))],
  ['prefix', 'the signature begins with "sha256="', (making) => ({ ...making, prefix: 'sha256=' })],
]

/** A request with details that signers often lose. Most of the mistakes in {@link TAKING} remove one of them. */
const RICH: Making = {
  url: 'http://Partner.Example.com:80/Sales/Zo%C3%AB/?at=19%3A30&b=1+2',
  body: { value: VALUE, indent: 2, slashes: true, unicode: true, head: '\ufeff', tail: '\n' },
  key: Buffer.from('"dead beef"'),
}
const TAKING: readonly MadeMistake[] = [
  ['URL first', 'the URL was prepended to the body', (making) => ({ ...making, urlFirst: true })],
  ['slash', 'the URL was signed without the slash at the end of its path', inUrl(/\/(?=\?|$)/, '')],
  ['scheme', 'the URL was signed with https://', inUrl('http://', 'https://')],
  ['host case', 'the URL was signed with its host in lower case', inUrl('Partner.Example', 'partner.example')],
  ['port', 'the URL was signed without its port', inUrl(':80', '')],
  ['no scheme', 'the URL was signed without its scheme', inUrl(/^https?:\/\//, '')],
  ['escapes', 'the URL was signed with its percent-encoding in lower case (%2f)', inUrl(/%\w\w/g, toLower)],
  ['decoded', DECODED, decodeUrl],
  ['path decoded', 'the URL was signed with its path percent-decoded', inUrl('Zo%C3%AB', 'Zoë')],
  ['query decoded', 'the URL was signed with its query percent-decoded', inUrl('%3A', ':')],
  ['plus', 'the URL was signed with %20 instead of + in its query', inUrl('+', '%20')],
  ['plus read', 'the URL was signed with spaces instead of + in its query', inUrl('+', ' ')],
  ['newline', 'the body was signed without the trailing line break', inBody({ tail: '' })],
  ['CR LF', 'the body was signed with CR LF line breaks instead of LF', inBody({ crLf: true })],
  ['mark', 'the body was signed without the leading byte order mark', inBody({ head: '' })],
  ['by 4', 'the body was parsed and reserialized indented by 4 spaces', inBody({ indent: 4 })],
  ['sorted', 'the members of the JSON body were sorted by name', inBody({ sorted: true })],
  ['slashes', 'the escaped slashes (\\/) in the JSON body were unescaped', inBody({ slashes: false })],
  ['unicode', 'the escaped letters (\\u00eb) in the JSON body were unescaped', inBody({ unicode: false })],
  ['quotes', 'the secret was used without the surrounding quotes', inKey((key) => key.replaceAll('"', ''))],
  ['spaces', 'the secret was used without the whitespace in it', inKey((key) => key.replaceAll(' ', ''))],
  ['SHA-512', 'SHA-512 was used instead of SHA-256', (making) => ({ ...making, hash: 'sha512' })],
]

/**
 * Pairs of mistakes that cannot be combined, with the reason. Pairs that have the same effect as a single mistake are
 * detected and need no entry.
 */
const EXCLUDING: readonly (readonly [first: readonly string[], second: readonly string[], why: string])[] = [
  [['compact', 'by 2', 'by 4'], ['compact', 'by 2', 'by 4'], 'a body is written with one indentation'],
  [['SHA-1', 'SHA-512'], ['SHA-1', 'SHA-512'], 'a signature is made with one hash'],
  [['upper', 'base64'], ['upper', 'base64'], 'base64 has both cases'],
  [['hex', 'base64 secret'], ['hex', 'base64 secret'], 'a decoded secret is no longer text'],
  [['spaces', 'quotes'], ['hex'], 'a text that starts with a space or quote is not hexadecimal'],
]

/** Returns every signature that one or two of the mistakes produce, each with its acceptable explanations. */
function listMade(right: Making, mistakes: readonly MadeMistake[]) {
  const rightSignature = makeSignature(right)
  const singles = new Map(mistakes.map(([, named, make]) => [makeSignature(make(right)), [[named]]] as const))
  const pairs = new Map<string, { called: string; named: string[][] }>()
  for (const [first, firstNamed, makeFirst] of mistakes)
    for (const [second, secondNamed, makeSecond] of mistakes) {
      if (first === second || EXCLUDING.some(([a, b]) => a.includes(first) && b.includes(second))) continue
      const signature = makeSignature(makeSecond(makeFirst(right)))
      if (signature === rightSignature || singles.has(signature)) continue
      const pair = pairs.get(signature) ?? { called: `${first}, ${second}`, named: [] }
      pair.named.push([firstNamed, secondNamed].sort())
      pairs.set(signature, pair)
    }
  return { singles, pairs }
}

function explained(signature: string, right: Making): readonly string[] | undefined {
  const explanation = explainMismatch(signature, toInput(right), OTHERS)
  for (const secret of [right.key.toString(), OTHER]) expect(JSON.stringify(explanation)).not.toContain(secret)
  return explanation?.mistakes
}

describe.each([
  ['add', PLAIN, ADDING],
  ['remove', RICH, TAKING],
] as const)('signing mistakes that %s something', (_what, right, mistakes) => {
  test.each(mistakes)('explainMismatch finds the mistake "%s": %s', (_called, named, make) => {
    const made = makeSignature(make(right))
    if (made === makeSignature(right)) throw new Error('no mistake was made')
    expect(explained(made, right)).toEqual([named])
  })

  const { pairs } = listMade(right, mistakes)
  test.each([...pairs].map(([signature, { called, named }]) => ({ called, signature, named })))(
    'explainMismatch finds two simultaneous mistakes: $called',
    ({ signature, named }) => expect(named).toContainEqual([...(explained(signature, right) ?? [])].sort()),
  )
})
