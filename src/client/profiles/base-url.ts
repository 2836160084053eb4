import { Failure } from '../../base/failure/failure.ts'
import { isLoopback } from '../../http/loopback.ts'

/** Checks a base URL: https, or http on this machine, without user, query and fragment. Fails: USAGE, no secrets. */
export function checkBaseUrl(text: string, source: string): URL {
  const refusal = (problem: string, hint: string) =>
    new Failure('USAGE', `the base URL (${source}) ${problem}`, { hint })
  // The URL parser forgives line breaks, backslashes and a missing `//`; it would call another address than shown.
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null
  if (url === null)
    throw refusal('must be an absolute URL, such as https://service.example/api', 'write it with https:// in front')
  const [authority = ''] = text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)
  if (url.username !== '' || url.password !== '' || authority.includes('@'))
    throw refusal('must not contain a user name or password', 'give the key in PARTNER_API_KEY or a profile')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    throw refusal('must not contain a query (?) or a fragment (#)', `give ${url.origin}${url.pathname}`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refusal(
      `must use https: plain http to ${url.hostname} would show the key to everyone on the way`,
      'plain http is accepted only for 127.0.0.1, [::1] and localhost',
    )
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** Hides a possible password or query in a stored base URL that was never checked. */
export function maskBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || /[\s\\]/.test(text)) return '(not a URL)'
  const hidden = url.username !== '' || url.password !== '' ? '••••@' : ''
  const query = url.search !== '' ? '?••••' : ''
  return hidden === '' && query === '' && url.hash === ''
    ? text
    : `${url.protocol}//${hidden}${url.host}${url.pathname}${query}`
}
