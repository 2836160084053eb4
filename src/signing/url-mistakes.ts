import type { Mistake } from './variant.ts'

/** Lists what usually happens to a URL between requesting and signing. */
export function listUrlMistakes(url: string): Mistake[] {
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] =
    /^(https?:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url) ?? []
  const otherScheme = scheme.toLowerCase() === 'https://' ? 'http://' : 'https://'
  const otherPath = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const slash = path.endsWith('/') ? 'without the slash at the end of its path' : 'with a slash added to its path'
  const rest = path + query + fragment
  return [
    [`the URL was signed ${slash}`, scheme + host + otherPath + query + fragment],
    ['the URL was signed without its query', scheme + host + path + fragment],
    [`the URL was signed ${slash} and without its query`, scheme + host + otherPath + fragment],
    ['the URL was signed without its fragment', scheme + host + path + query],
    [`the URL was signed with ${otherScheme}`, scheme === '' ? null : otherScheme + host + rest],
    ['only the path and query of the URL were signed', scheme === '' ? null : rest],
    ['only the path of the URL was signed', scheme === '' ? null : path],
    ['the URL was signed without its scheme', host + rest],
    ['the URL was signed without its port', scheme + host.replace(/:\d+$/, '') + rest],
    ['the URL was signed with its default port', addDefaultPort(scheme, host) + rest],
    ['the URL was signed in its normal form (host in lower case, letters percent-encoded)', normalize(url)],
    ['the URL was signed with its percent-encoding undone', tryDecode(url)],
  ]
}

function addDefaultPort(scheme: string, host: string): string {
  if (scheme === '' || /:\d+$/.test(host)) return scheme + host
  return `${scheme}${host}:${scheme.toLowerCase() === 'https://' ? 443 : 80}`
}

function normalize(url: string): string | null {
  return URL.parse(url)?.href ?? null
}

function tryDecode(url: string): string | null {
  try {
    return decodeURIComponent(url)
  } catch {
    return null
  }
}
