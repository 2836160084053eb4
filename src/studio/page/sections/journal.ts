import { type Html, html } from '../../../base/html.ts'
import { ENDPOINTS, type EndpointId } from '../../../contract/endpoints.ts'
import type { JournalEntry } from '../../../sandbox/journal/journal.ts'
import type { Scene } from '../scene.ts'
import { codeBlock, factList, indentedJson, rawText } from '../words/texts.ts'
import { timeOfText } from '../words/times.ts'
import { pagedList, viewForm, viewLink } from './form.ts'

const PAGE_LENGTH = 25

/** Renders one page of the list of requests and their outcomes, newest first. */
export function journalLive(scene: Scene): Html {
  const { state, view } = scene
  const { find, refused, older } = view.chosen
  const before = /^\d{1,15}$/.test(older) ? Number(older) : null
  const found = state.journal.latest({ before, count: PAGE_LENGTH, fits: fitting(find.toLowerCase(), refused === '1') })
  const none = find !== '' || refused === '1' ? 'No request matches.' : 'No requests yet.'
  const empty = before === null ? none : 'No older requests.'
  return pagedList(
    { className: 'entries requests', label: 'Pages of requests', empty },
    found.entries.map(({ place, entry }) => entryItem(scene, place, entry)),
    [
      before === null ? null : viewLink(scene, { older: '' }, 'journal', 'Newest'),
      found.older === null ? null : viewLink(scene, { older: String(found.older) }, 'journal', 'Older requests'),
    ],
  )
}

export function journalSearch(scene: Scene): Html {
  const { find, refused } = scene.view.chosen
  return viewForm(
    scene,
    ['find', 'refused', 'older'],
    html`<div class="field"><label for="find">Find in requests</label><input id="find" name="find" type="search" value="${find}" autocomplete="off"></div><label class="check"><input type="checkbox" name="refused" id="refused" value="1"${refused === '1' ? html` checked` : null}> Only rejected or failed requests</label><button>Find</button>`,
    'Requests',
  )
}

function fitting(text: string, onlyRefused: boolean): (entry: JournalEntry) => boolean {
  return (entry) => {
    if (onlyRefused && entry.note === null && entry.status !== null && entry.status < 400) return false
    if (text === '') return true
    const { method, path, query, endpoint, status, note, request, response } = entry
    const all = [`${method} ${path}`, query, endpoint, status, note, request.body, response.body]
    return all.some((part) => part !== null && String(part).toLowerCase().includes(text))
  }
}

function entryItem({ zone }: Scene, place: number, entry: JournalEntry): Html {
  const { at, method, path, query, endpoint, status, note, ms, faults, request, response } = entry
  const time = timeOfText(at, zone)
  const matched = endpoint === null ? null : ENDPOINTS[endpoint as EndpointId]
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return html`<li class="${tone(entry)}"><details data-key="request-${place}"><summary><span class="code">${status ?? 'none'}</span> <span class="what"><b>${method}</b> ${rawText(path)}${query === '' ? null : html`<span class="soft">${shortQuery(rawText(query))}</span>`}</span> <span class="why">${note === null ? null : rawText(note)}</span> <span class="at">${shortTime(time)}</span></summary>
${factList([
  ['Time', time],
  ['Endpoint', matched ? html`<code>${matched.method} ${matched.path}</code> (${endpoint})` : 'none matched'],
  ['Response', status === null ? 'none: the connection ended without a response' : `${status}, after ${ms} ms`],
  ['Reason', note === null ? null : rawText(note)],
  ['Faults', faults.length === 0 ? null : faults.join(', ')],
])}
${query === '' ? null : html`<h4>Query</h4>${codeBlock(queryLines(query))}`}
<h4>Headers</h4>${codeBlock(headers.join('\n'))}
${request.body === null ? null : html`<h4>Request body</h4>${codeBlock(indentedJson(request.body))}`}
${response.body === null ? null : html`<h4>Response body</h4>${codeBlock(indentedJson(response.body))}`}</details></li>`
}

function tone({ status, note }: JournalEntry): string {
  if (status === null || status >= 500) return 'bad'
  return status >= 400 || note !== null ? 'warned' : 'good'
}

/** Returns the time of day from a rendered time. The date appears only in the entry's details. */
function shortTime(time: Html): string {
  return /(\d\d:\d\d:\d\d)<\/time>$/.exec(time.text)?.[1] ?? ''
}

const MAX_QUERY_LENGTH = 120

/** Returns the beginning of a query. The whole query appears in the entry's details. */
function shortQuery(query: string): string {
  const text = query.replace(/^\??/, '?')
  return text.length > MAX_QUERY_LENGTH ? `${text.slice(0, MAX_QUERY_LENGTH)}\u2026` : text
}

function queryLines(query: string): string {
  return [...new URLSearchParams(query)].map(([name, value]) => `${name} = ${value}`).join('\n')
}
