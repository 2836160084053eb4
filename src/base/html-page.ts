import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'

/** Returns a complete HTML page without external resources or scripts. `body` is the content of `<body>`. */
export function htmlPage(title: string, css: string, body: Html): string {
  const style = css.trim()
  const hash = createHash('sha256').update(style).digest('base64')
  const head = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>`
  return `<!doctype html>\n${head.text}${style}</style>
</head>
<body>
${body.text}</body>
</html>
`
}
