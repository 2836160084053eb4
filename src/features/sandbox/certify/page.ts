import { createHash } from 'node:crypto'
import { bdi, type Html, html } from '../../../base/html.ts'
import { parseJson } from '../../../base/json/parse.ts'
import type { EvidenceRow } from '../../../studio/certify/bench/evidence.ts'
import type { CertifiedItem } from '../../../studio/certify/certify.ts'
import type { Signature, Unsigned } from '../../../studio/certify/result/signed.ts'
import { STYLE } from './style.ts'

/** A signed result as one page of HTML, without script and without anything from elsewhere. */
export function certifiedPage(text: string): string {
  const { name, madeAt, madeBy, items, journal, signature } = parseJson(text) as Unsigned & {
    readonly signature: Signature
  }
  const failed = items.filter(({ status }) => status === 'failed')
  const words =
    failed.length === 0 ? `All ${items.length} items passed` : `${failed.length} of ${items.length} items failed`
  const style = STYLE.trim()
  const hash = createHash('sha256').update(style).digest('base64')
  const head = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${words}</title>
<style>`
  const body = html`</style>
</head>
<body>
<header>
<h1>${name === null ? 'Certification' : bdi(name)}</h1>
<p class="verdict ${failed.length === 0 ? 'passed' : 'failed'}">${words}</p>
<p class="soft">Made ${madeAt.slice(0, 16).replace('T', ' ')} UTC by ${madeBy}, on its sandbox.</p>
</header>
<main>
<table>
<thead><tr><th scope="col">Item</th><th scope="col">Result</th></tr></thead>
<tbody>
${items.map(
  (
    item,
  ) => html`<tr><th scope="row"><a href="#${item.id}">${item.name}</a></th><td class="${item.status}">${item.status}</td></tr>
`,
)}</tbody>
</table>
${items.map(section)}</main>
<footer>
<p>Journal of ${journal.entries} requests, SHA-256 <code>${journal.hash}</code></p>
<p>Signed with ${signature.algorithm}, public key <code>${signature.publicKey}</code>. This page is not signed: partner certify verify checks the file.</p>
</footer>
</body>
</html>
`
  return `<!doctype html>\n${head.text}${style}${body.text}`
}

function section({ id, name, status, evidence, mend }: CertifiedItem): Html {
  const findings = evidence.filter(({ kind }) => kind === 'finding')
  return html`<section id="${id}">
<h2>${name} <span class="${status}">${status}</span></h2>
${
  status === 'failed'
    ? html`<ul class="findings">${findings.map(({ text }) => html`<li>${bdi(text)}</li>`)}</ul>
<p class="mend"><strong>To mend it:</strong> ${mend}</p>
`
    : null
}<details${status === 'failed' ? html` open` : null}><summary>Evidence: ${evidence.length} rows</summary>
<ol>${evidence.map(row)}</ol>
</details>
</section>
`
}

function row({ at, kind, text }: EvidenceRow): Html {
  return html`<li class="${kind}"><time datetime="${at}">${at.slice(11, 23)}</time> <span class="kind">${kind}</span> ${bdi(text)}</li>
`
}
