import { type Html, html } from '../../../base/html.ts'
import { ENDPOINTS } from '../../../contract/endpoints.ts'
import { effectWords } from '../../../sandbox/faults/effect-words.ts'
import type { Scene } from '../scene.ts'
import { KINDS, strikesWords } from '../words/faults.ts'
import { rawText } from '../words/texts.ts'
import { actionForm, textField, writtenIn } from './form.ts'

/** The faults that there are, each with a button that clears it. */
export function faultsLive(scene: Scene): Html {
  const faults = scene.state.settings().faults.list()
  if (faults.length === 0) return html`<p class="empty">No faults: the sandbox behaves as the specification says.</p>`
  const items = faults.map(
    (fault) =>
      html`<li><div><b id="fault-${fault.id}">${fault.id}. ${rawText(effectWords((member) => String(new Map(Object.entries(fault.effect)).get(member) ?? '')))}</b> <code>${fault.endpoint}</code><br><span class="soft">${strikesWords(fault)}</span></div>
<form method="post" action="${scene.view.under('do/clear-fault', true)}" class="action" data-done="The fault is cleared."><input type="hidden" name="id" value="${fault.id}"><button aria-describedby="fault-${fault.id}">Clear</button></form></li>`,
  )
  return html`<ul class="faults" role="list">${items}</ul>`
}

/** The form that adds one. */
export function faultForm(scene: Scene): Html {
  const form = 'add-fault'
  const chosen = writtenIn(scene, form, 'kind', 'status')
  const phase = writtenIn(scene, form, 'phase')
  const option = (value: string, text: string, current: string) =>
    html`<option value="${value}"${value === current ? html` selected` : null}>${text}</option>`
  const endpoints = Object.values(ENDPOINTS).map(
    ({ method, path }) => html`<option value="${method} ${path}"></option>`,
  )
  const kinds = Object.entries(KINDS).map(([kind, words]) => option(kind, `${kind}: ${words}`, chosen))
  const phases = [
    ['', 'as usual for its kind'],
    ['before', 'no: fail before it'],
    ['after', 'yes: fail after it'],
  ] as const
  const number = html` inputmode="numeric"`
  return actionForm(scene, {
    name: form,
    done: 'The fault is added.',
    className: 'fault',
    fields: html`${textField(scene, form, { name: 'endpoint', label: 'Endpoint', hint: 'Choose one; * stands for any, as in GET *', className: 'wide', attributes: html` list="endpoints" spellcheck="false"` })}<datalist id="endpoints"><option value="*"></option>${endpoints}</datalist>
<div class="field wide"><label for="${form}-kind">Kind</label><select id="${form}-kind" name="kind">${kinds}</select></div>
${textField(scene, form, { name: 'status', label: 'Status', first: '503', className: 'of status', attributes: number })}
${textField(scene, form, { name: 'message', label: 'Message', hint: 'Empty: what is documented', className: 'of status' })}
${textField(scene, form, { name: 'value', label: 'How much', hint: 'A time (2s), bytes (64KiB), a number of times, or a URL', className: 'wide of latency late-webhook skew truncate oversize duplicate-webhook redirect' })}
${textField(scene, form, { name: 'next', label: 'Next requests', hint: 'Empty: all', attributes: number })}
${textField(scene, form, { name: 'share', label: 'Share, percent', hint: 'Empty: all', attributes: html` inputmode="decimal"` })}
<div class="field wide"><label for="${form}-phase">Make the change</label><select id="${form}-phase" name="phase">${phases.map(([value, text]) => option(value, text, phase))}</select></div>
<button>Add fault</button>`,
  })
}
