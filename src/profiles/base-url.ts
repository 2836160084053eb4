import { Failure } from '../failure/failure.ts'
import { isLoopback } from '../http/loopback.ts'

/**
 * Checks a base URL and returns it with its path prefix, without a slash at the end. Absolute `https`, or `http` when it
 * stays on this machine (127.0.0.0/8, `::1`, `localhost`); no user name, password, query or fragment.
 * `source` is where the text came from, for the message: `--base-url`, `PARTNER_BASE_URL`, `profile dev`.
 * Fails: USAGE, without echoing what may be a password or a key.
 */
export function checkBaseUrl(text: string, source: string): URL {
  // The URL parser forgives line breaks, backslashes and a missing `//`; what a person then sees is not what is called.
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? parseUrl(text) : null
  if (url === null) {
    throw refused(
      source,
      'must be an absolute URL, such as https://service.example/api',
      'write it with https:// in front',
    )
  }
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@')) {
    throw refused(
      source,
      'must not contain a user name or password',
      'the key goes in by its own way: PARTNER_API_KEY or a profile',
    )
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw refused(source, 'must not contain a query (?) or a fragment (#)', `give ${url.origin}${url.pathname}`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refused(
      source,
      `must use https: plain http to ${url.hostname} would send the key readable to all on the way`,
      'plain http is accepted only for 127.0.0.1, [::1] and localhost',
    )
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/**
 * A base URL fit to be shown: a stored one that was never checked may hold a password or a key in its query.
 */
export function maskBaseUrl(text: string): string {
  const url = parseUrl(text)
  if (url === null || /[\s\\]/.test(text)) return '(not a URL)'
  const hidden = url.username !== '' || url.password !== '' ? '••••@' : ''
  const query = url.search !== '' ? '?••••' : ''
  return hidden === '' && query === '' && url.hash === ''
    ? text
    : `${url.protocol}//${hidden}${url.host}${url.pathname}${query}`
}

function authorityOf(text: string): string {
  return text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? ''
}

function parseUrl(text: string): URL | null {
  return URL.parse(text)
}

function refused(source: string, problem: string, hint: string): Failure {
  return new Failure('USAGE', `the base URL (${source}) ${problem}`, { hint })
}
