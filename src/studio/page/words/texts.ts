import { type Html, type HtmlValue, html } from '../../../base/html.ts'
import { HIDDEN, hideSecrets } from '../../../base/redaction/redaction.ts'
import { SANDBOX_KEYS, SIGNING_SECRET } from '../../../sandbox/credentials.ts'

const SECRETS = [...Object.values(SANDBOX_KEYS), SIGNING_SECRET]

/** Matches control characters that change the text direction. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Matches the user name and password in a URL. */
const USER_INFO = /(:\/\/)[^\s/@"'<>]+@/g

/**
 * Redacts keys and passwords in the text of a request or response. Escapes characters that change the text direction.
 */
export function rawText(text: string): string {
  return hideSecrets(text, SECRETS)
    .replace(USER_INFO, `$1${HIDDEN}@`)
    .replace(TURNING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Formats JSON with one member per line, even if the JSON is truncated. Numbers stay as they were written. Text that is
 * not JSON stays unchanged.
 */
export function indentedJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replace(/"(?:[^"\\]|\\.)*"?|[{[]\s*[\]}]|[{}[\],:]|\s+/g, (token) => {
    if (/^\s/.test(token)) return ''
    if (token === '{' || token === '[') {
      depth += 1
      return token + line()
    }
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      return line() + token
    }
    if (token === ',') return token + line()
    return token === ':' ? ': ' : token
  })
}

export function codeBlock(text: string): Html {
  return html`<pre dir="ltr" tabindex="0"><code>${rawText(text)}</code></pre>`
}

/** Renders a list of names and their values. Omits names whose value is empty. */
export function factList(known: readonly (readonly [name: string, value: HtmlValue])[]): Html {
  const rows = known
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return html`<dl class="facts">${rows}</dl>`
}

export function listed(pieces: readonly Html[]): HtmlValue {
  return pieces.map((piece, at) => (at === 0 ? piece : html`, ${piece}`))
}

export function commandHint(...commands: readonly string[]): Html {
  return html`<p class="same">In a terminal: ${listed(commands.map((command) => html`<code>partner ${command}</code>`))}</p>`
}
