import { Failure } from '../../base/failure/failure.ts'
import { isLoopback } from '../../http/loopback.ts'

/**
 * Parses a base URL. It must use https, or http if the host is a loopback address, and must not have a user name, query
 * or fragment. Throws USAGE for any other URL. The message contains no secrets.
 */
export function checkBaseUrl(text: string, source: string): URL {
  const refusal = (problem: string, hint: string) =>
    new Failure('USAGE', `the base URL (${source}) ${problem}`, { hint })
  // The URL parser tolerates line breaks, backslashes and a missing `//`, so the parsed URL could differ from what the
  // user typed.
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null
  if (url === null)
    throw refusal('must be an absolute URL, such as https://service.example/api', 'start it with https://')
  const [authority = ''] = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)
  if (url.username !== '' || url.password !== '' || authority.includes('@'))
    throw refusal('must not contain a user name or password', 'pass the key in PARTNER_API_KEY or a profile')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    throw refusal('must not contain a query (?) or a fragment (#)', `pass ${url.origin}${url.pathname}`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refusal(
      `must use https: plain http to ${url.hostname} would expose the key to anyone on the network`,
      'plain http is accepted only for 127.0.0.1, [::1] and localhost',
    )
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** Masks the password and query of a base URL in a profile. The URL may be invalid. */
export function maskBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || /[\s\\]/.test(text)) return '(not a URL)'
  const hidden = url.username !== '' || url.password !== '' ? '••••@' : ''
  const query = url.search !== '' ? '?••••' : ''
  return hidden === '' && query === '' && url.hash === ''
    ? text
    : `${url.protocol}//${hidden}${url.host}${url.pathname}${query}`
}
