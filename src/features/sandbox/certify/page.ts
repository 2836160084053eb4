import { bdi, type Html, html } from '../../../base/html.ts'
import { htmlPage } from '../../../base/html-page.ts'
import { parseJson } from '../../../base/json/parse.ts'
import type { EvidenceRow } from '../../../studio/certify/bench/evidence.ts'
import type { CertifiedItem } from '../../../studio/certify/certify.ts'
import type { Signature, UnsignedResult } from '../../../studio/certify/result/signed.ts'

const LIGHT = '--paper:#fff;--ink:#1c2127;--soft:#59626d;--line:#d8dde3;--good:#0f6b3d;--bad:#a3210f;--tile:#f5f7f9'

const DARK = '--paper:#14181d;--ink:#e8ebee;--soft:#a3adb8;--line:#333b45;--good:#5fd19a;--bad:#ff8d7a;--tile:#1d232a'

/** The styles for screens, phones and print. They load no other resources. */
const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:920px;padding:24px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;overflow-wrap:anywhere}
h1{font-size:26px;line-height:1.2;margin:0 0 4px}
h2{font-size:18px;line-height:1.3;margin:0 0 6px}
h2 span{font-size:14px;margin-inline-start:6px}
p{margin:0 0 6px}
a{color:inherit}
.verdict{font-size:18px;font-weight:600}
.soft,footer,time,.kind{color:var(--soft)}
.passed{color:var(--good)}
.failed{color:var(--bad);font-weight:600}
table{border-collapse:collapse;width:100%;margin:16px 0 24px}
th,td{text-align:start;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);font-weight:400;vertical-align:baseline}
td,th:last-child{white-space:nowrap}
thead th{font-size:12px;color:var(--soft);border-bottom-width:2px}
section{border-top:1px solid var(--line);padding:16px 0}
.findings{margin:0 0 8px;padding-inline-start:20px}
.mend{background:var(--tile);border-inline-start:4px solid var(--bad);padding:8px 12px}
summary{cursor:pointer;color:var(--soft);font-size:14px}
ol{list-style:none;margin:8px 0 0;padding:0;font:12.5px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
.kind{display:inline-block;min-width:5em}
li.finding bdi{color:var(--bad);font-weight:600}
footer{border-top:1px solid var(--line);padding-top:12px;font-size:13px}
code{font:12px/1.4 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
@page{size:A4;margin:14mm}
@media print{
html{color-scheme:light}
body{max-width:none;padding:0;font-size:10pt}
section{break-inside:avoid-page}
details>ol{font-size:8pt}
}
`

/** Renders a signed result as an HTML page without scripts or external resources. */
export function certifiedPage(text: string): string {
  const { name, madeAt, madeBy, items, journal, signature } = parseJson(text) as UnsignedResult & {
    readonly signature: Signature
  }
  const failed = items.filter(({ status }) => status === 'failed')
  const words =
    failed.length === 0 ? `All ${items.length} items passed` : `${failed.length} of ${items.length} items failed`
  const body = html`<header>
<h1>${name === null ? 'Certification' : bdi(name)}</h1>
<p class="verdict ${failed.length === 0 ? 'passed' : 'failed'}">${words}</p>
<p class="soft">Tested on ${madeAt.slice(0, 16).replace('T', ' ')} UTC by ${madeBy}, against its sandbox.</p>
</header>
<main>
<table>
<thead><tr><th scope="col">Item</th><th scope="col">Result</th></tr></thead>
<tbody>
${items.map(summary)}</tbody>
</table>
${items.map(section)}</main>
<footer>
<p>Journal of ${journal.entries} requests, SHA-256 <code>${journal.hash}</code></p>
<p>Signed with ${signature.algorithm}, public key <code>${signature.publicKey}</code>. This page itself is not signed; to verify the result file, use partner certify verify.</p>
</footer>
`
  return htmlPage(words, STYLE, body)
}

function summary({ id, name, status }: CertifiedItem): Html {
  return html`<tr><th scope="row"><a href="#${id}">${name}</a></th><td class="${status}">${status}</td></tr>
`
}

function section({ id, name, status, evidence, mend }: CertifiedItem): Html {
  const findings = evidence.filter(({ kind }) => kind === 'finding')
  return html`<section id="${id}">
<h2>${name} <span class="${status}">${status}</span></h2>
${
  status === 'failed'
    ? html`<ul class="findings">${findings.map(({ text }) => html`<li>${bdi(text)}</li>`)}</ul>
<p class="mend"><strong>How to fix it:</strong> ${mend}</p>
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
