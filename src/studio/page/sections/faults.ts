import { type Html, html } from '../../../base/html.ts'
import { ENDPOINTS } from '../../../contract/endpoints.ts'
import { describeEffect } from '../../../sandbox/faults/describe-effect.ts'
import { type Fault, type FaultEffect, phaseOf } from '../../../sandbox/faults/fault.ts'
import type { Scene } from '../scene.ts'
import { rawText } from '../words/texts.ts'
import { actionForm, textField, writtenIn } from './form.ts'

/** Descriptions of the kinds of faults. The kinds have the same names as in `sandbox faults add`. */
const KINDS: Readonly<Record<FaultEffect['kind'], string>> = {
  status: 'respond with a status',
  latency: 'delay the response',
  reset: 'reset the connection',
  close: 'close the connection',
  hang: 'never respond',
  truncate: 'cut off the body after a given number of bytes',
  malformed: 'cut off the body in the middle of its JSON',
  dribble: 'send a few bytes at a time',
  oversize: 'make the body larger',
  redirect: 'respond with a 307',
  skew: 'shift the Date header',
  'duplicate-webhook': 'deliver webhooks several times',
  'late-webhook': 'deliver webhooks late',
  'lost-webhook': 'never deliver webhooks',
}

/** Renders the list of faults, each with a button that clears it. */
export function faultsLive(scene: Scene): Html {
  const faults = scene.state.settings().faults.list()
  if (faults.length === 0) return html`<p class="empty">No faults: the sandbox behaves as the specification says.</p>`
  const items = faults.map(
    (fault) =>
      html`<li><div><b id="fault-${fault.id}">${fault.id}. ${rawText(describeEffect((member) => String(new Map(Object.entries(fault.effect)).get(member) ?? '')))}</b> <code>${fault.endpoint}</code><br><span class="soft">${describeScope(fault)}</span></div>
<form method="post" action="${scene.view.urlOf('do/clear-fault', true)}" class="action" data-done="The fault was cleared."><input type="hidden" name="id" value="${fault.id}"><button aria-describedby="fault-${fault.id}">Clear</button></form></li>`,
  )
  return html`<ul class="faults" role="list">${items}</ul>`
}

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
    ['', 'default for the kind'],
    ['before', 'no: fail before the change'],
    ['after', 'yes: fail after the change'],
  ] as const
  const number = html` inputmode="numeric"`
  return actionForm(scene, {
    name: form,
    done: 'The fault was added.',
    className: 'fault',
    fields: html`${textField(scene, form, { name: 'endpoint', label: 'Endpoint', hint: 'Choose an endpoint; * means any, as in GET *', className: 'wide', attributes: html` list="endpoints" spellcheck="false"` })}<datalist id="endpoints"><option value="*"></option>${endpoints}</datalist>
<div class="field wide"><label for="${form}-kind">Kind</label><select id="${form}-kind" name="kind">${kinds}</select></div>
${textField(scene, form, { name: 'status', label: 'Status', first: '503', className: 'of status', attributes: number })}
${textField(scene, form, { name: 'message', label: 'Message', hint: 'Leave empty for the documented message', className: 'of status' })}
${textField(scene, form, { name: 'value', label: 'How much', hint: 'A duration (2s), a size (64KiB), a number of times, or a URL', className: 'wide of latency late-webhook skew truncate oversize duplicate-webhook redirect' })}
${textField(scene, form, { name: 'next', label: 'Next requests', hint: 'Empty: all', attributes: number })}
${textField(scene, form, { name: 'share', label: 'Share, percent', hint: 'Empty: all', attributes: html` inputmode="decimal"` })}
<div class="field wide"><label for="${form}-phase">Make the change</label><select id="${form}-phase" name="phase">${phases.map(([value, text]) => option(value, text, phase))}</select></div>
<button>Add fault</button>`,
  })
}

function describeScope(fault: Fault): string {
  const { next, nth, share, seen, fired } = fault
  const so = `affected ${fired} of ${seen} requests so far`
  const phase = phaseOf(fault) === 'after' ? 'after the change is applied' : 'before the change is applied'
  if (nth !== undefined) return `request ${nth} only${seen >= nth ? ' (done)' : ''}, ${phase}; ${so}`
  if (next !== undefined) return `the next ${next}${fired >= next ? ' (done)' : ''}, ${phase}; ${so}`
  return `${share === undefined ? 'every request' : `${share}% of requests`}, ${phase}; ${so}`
}
