import { attempt } from '../base/attempt.ts'

export const URL_PATTERN = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?(\[[^\]]*\]|[^/:,]*)(?::(\d*))?(?:\/([^/]*))?$/
const SECRETS = /(?:^|&)(?:ssl)?password=/i

/** The problems with a URL, worded to follow the flag's name in a message. */
export const URL_PROBLEMS = {
  password: 'must not contain a password: other users can see it in the process list',
  form: 'is not a PostgreSQL URL',
} as const

/**
 * Returns the problem with a database URL, or `null`. Text between a colon and the last `@` counts as a
 * password, even if it contains or follows a `#` or `/`.
 */
export function findUrlProblem(url: string): keyof typeof URL_PROBLEMS | null {
  const [beforeQuery = '', query = ''] = splitUrl(url)
  const beforeSlash = url.slice(url.indexOf('//') + 2).split('/')[0] ?? ''
  const parts = [beforeQuery.slice(beforeQuery.indexOf('//') + 2), beforeSlash]
  const hasPassword = parts.some((part) => /:./s.test(part.slice(0, Math.max(0, part.lastIndexOf('@')))))
  if (hasPassword || SECRETS.test(decodedOrNull(query) ?? query)) return 'password'
  return URL_PATTERN.test(beforeQuery) ? null : 'form'
}

/** Removes a URL's fragment and splits the rest at the `?` that begins the query. */
export function splitUrl(url: string): string[] {
  return splitOnce(url.replace(/#.*$/s, ''), '?')
}

export function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

export function decodedOrNull(text: string): string | null {
  return attempt(() => decodeURIComponent(text), null)
}
