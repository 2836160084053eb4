import type { Mistake } from './variant.ts'

/** A way to put body and URL together; without a mistake, the right one. */
export interface Layout {
  readonly mistakes: readonly Mistake[]
  readonly parts: (body: Buffer, url: Buffer) => readonly (Buffer | string)[]
}

/** The rule, as a line of nearly any language. */
export const FORMULA = 'hmac_sha256(secret, body + url)'

const SEPARATORS = [' ', '.', ':', '|', ',', ';', '&', '+', '-', '_', '\0']

const NOTHING = 'put the URL right behind the body, with nothing between'

/** The right way. */
export const RIGHT_LAYOUT: Layout = { mistakes: [], parts: (body, url) => [body, url] }

/** The wrong ways, the most frequent first. */
export const WRONG_LAYOUTS: readonly Layout[] = [
  layout('the URL was put before the body', 'put the body first, then the URL', (body, url) => [url, body]),
  layout('only the body was signed, without the URL', 'put the URL behind the body', (body) => [body]),
  layout('only the URL was signed, without the body', 'put the body before the URL', (_body, url) => [url]),
  ...SEPARATORS.map((separator) =>
    layout(`${JSON.stringify(separator)} was put between the body and the URL`, NOTHING, (body, url) => [
      body,
      separator,
      url,
    ]),
  ),
  // A line break between body and URL is one that was added to the body.
  ...['\n', '\r\n', ...SEPARATORS].map((separator) =>
    layout(`the URL and ${JSON.stringify(separator)} were put before the body`, NOTHING, (body, url) => [
      url,
      separator,
      body,
    ]),
  ),
]

function layout(what: string, instead: string, parts: Layout['parts']): Layout {
  return { mistakes: [{ what, instead: `${instead}: ${FORMULA}` }], parts }
}
