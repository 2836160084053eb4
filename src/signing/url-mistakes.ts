import { attempt } from '../base/attempt.ts'
import type { Change } from './variant.ts'

/**
 * The parts of a URL as they were typed: `https://`, `host:port`, `/path`, `?a=1` and `#top`. A missing part is empty.
 */
type Parts = Readonly<Record<'scheme' | 'host' | 'path' | 'query' | 'fragment', string>>

/** Returns the common mistakes that change a URL. */
export function listUrlChanges(right: string): Change[] {
  const instead = signUrl(right)
  const change = (what: string, apply: Change['apply']) => ({ what: `the URL was signed ${what}`, instead, apply })
  const edit = (what: string, apply: (parts: Parts) => Partial<Parts> | null): Change =>
    change(what, (url) => {
      const parts = split(url)
      const edited = apply(parts)
      return edited === null ? null : join({ ...parts, ...edited })
    })
  const only = (what: string, apply: (parts: Parts) => Partial<Parts>): Change => ({
    ...edit('', (parts) => (parts.scheme === '' ? null : { scheme: '', host: '', ...apply(parts) })),
    what: `only ${what} signed`,
  })
  return [
    edit('with a slash added to its path', ({ path }) => (path.endsWith('/') ? null : { path: `${path}/` })),
    edit('without the slash at the end of its path', ({ path }) => ({ path: path.replace(/\/$/, '') })),
    edit('without its query', () => ({ query: '' })),
    edit('with an empty query (a trailing question mark)', ({ query }) => (query === '' ? { query: '?' } : null)),
    edit('without its fragment', () => ({ fragment: '' })),
    edit('with http://', ({ scheme }) => (isScheme(scheme, 'https') ? { scheme: 'http://' } : null)),
    edit('with https://', ({ scheme }) => (isScheme(scheme, 'http') ? { scheme: 'https://' } : null)),
    only('the path and query of the URL were', () => ({})),
    only('the path of the URL was', () => ({ query: '', fragment: '' })),
    edit('without its scheme', () => ({ scheme: '' })),
    edit('with its host in lower case', ({ host }) => ({ host: host.toLowerCase() })),
    edit('with its host in upper case', ({ host }) => ({ host: host.toUpperCase() })),
    edit('with its scheme in lower case', ({ scheme }) => ({ scheme: scheme.toLowerCase() })),
    edit('without its port', ({ host }) => ({ host: host.replace(/:\d+$/, '') })),
    edit('with its default port', ({ scheme, host }) =>
      scheme === '' || /:\d+$/.test(host) ? null : { host: `${host}:${isScheme(scheme, 'https') ? 443 : 80}` },
    ),
    change('with its percent-encoding decoded', (url) => decode(url)),
    edit('with its path percent-decoded', ({ path }) => ({ path: decode(path) ?? path })),
    edit('with its query percent-decoded', ({ query }) => ({ query: decode(query) ?? query })),
    change('with invalid URL characters percent-encoded', (url) => encodeURI(url).replaceAll('%25', '%')),
    edit('with its query values percent-encoded', ({ query }) => ({ query: encodeValues(query) })),
    change('with its percent-encoding in upper case (%2F)', (url) => url.replace(ESCAPE, (hex) => hex.toUpperCase())),
    change('with its percent-encoding in lower case (%2f)', (url) => url.replace(ESCAPE, (hex) => hex.toLowerCase())),
    change('percent-encoded a second time', (url) => url.replaceAll('%', '%25')),
    change('percent-encoded as a whole', (url) => encodeURIComponent(url)),
    edit('with + instead of spaces in its query', ({ query }) => ({ query: query.replace(/%20| /g, '+') })),
    edit('with %20 instead of + in its query', ({ query }) => ({ query: query.replaceAll('+', '%20') })),
    edit('with spaces instead of + in its query', ({ query }) => ({ query: query.replaceAll('+', ' ') })),
    edit('with its query parameters sorted', ({ query }) => ({ query: sortParameters(query) })),
  ]
}

/**
 * Returns the change that a URL library makes when it normalizes a URL. The change can combine several mistakes, so it
 * is tried after single mistakes.
 */
export function normalizeUrl(right: string): Change {
  return {
    what: 'the URL was signed after a URL library had normalized it',
    instead: signUrl(right),
    apply: (url) => URL.parse(url)?.href ?? null,
  }
}

function signUrl(right: string): string {
  return `sign this URL, byte for byte: ${JSON.stringify(right)}`
}

const ESCAPE = /%[\da-f]{2}/gi

function split(url: string): Parts {
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] =
    /^(https?:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url) ?? []
  return { scheme, host, path, query, fragment }
}

function join({ scheme, host, path, query, fragment }: Parts): string {
  return scheme + host + path + query + fragment
}

function isScheme(typed: string, name: string): boolean {
  return typed.toLowerCase() === `${name}://`
}

function encodeValues(query: string): string {
  return query.replace(/(?<==)[^&]*/g, (value) => encodeURIComponent(decode(value) ?? value))
}

function sortParameters(query: string): string {
  return query === '' ? '' : `?${query.slice(1).split('&').sort().join('&')}`
}

function decode(text: string): string | null {
  return attempt(() => decodeURIComponent(text), null)
}
