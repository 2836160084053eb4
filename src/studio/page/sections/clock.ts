import { type Html, html } from '../../../base/html.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { Scene } from '../scene.ts'
import { dayText, dayWords } from '../words/times.ts'
import { actionForm, textField, writtenIn } from './form.ts'

export function clockLive({ state, zone, now, local, today }: Scene): Html {
  const { clock } = state.settings()
  const away = now - Date.now()
  const difference = clock.shifted
    ? `${formatDuration(Math.abs(away))} ${away < 0 ? 'behind' : 'ahead of'} this machine`
    : "this machine's time"
  const time = new Date(local).toISOString().slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm:ss'.length)
  // These attributes make the browser advance the displayed time. They are present only while the clock is running.
  const ticking = clock.frozen ? null : html` data-ticks="${now}" data-offset="${zone.toLocal(now) - now}"`
  return html`<p class="time"${ticking}><time datetime="${dayText(today)}T${time}"><span class="date">${dayWords(today)}</span> <b class="ticks">${time}</b></time> <span class="soft">${zone.name}</span></p>
<p><span class="tag ${clock.frozen ? 'frozen' : ''}">${clock.frozen ? 'frozen' : 'running'}</span> <span class="difference">${difference}</span></p>`
}

export function clockForms(scene: Scene): Html {
  const frozen = writtenIn(scene, 'set-clock', 'frozen') === '1'
  return html`${actionForm(scene, {
    name: 'advance-clock',
    done: 'The clock was advanced.',
    fields: html`${textField(scene, 'advance-clock', { name: 'by', label: 'Advance by', first: '10m', hint: 'For example 10m, 2h or 1d', attributes: html` spellcheck="false"` })}<button>Advance</button>`,
  })}
${actionForm(scene, {
  name: 'set-clock',
  done: 'The clock was set.',
  fields: html`${textField(scene, 'set-clock', { name: 'to', label: 'Time', hint: 'For example 2026-12-24 19:00, or tomorrow 18:00', attributes: html` spellcheck="false"` })}<label class="check"><input type="checkbox" id="set-clock-frozen" name="frozen" value="1"${frozen ? html` checked` : null}> Frozen</label><button>Set the time</button>`,
})}
<div class="pair">${actionForm(scene, { name: 'freeze-clock', done: 'The clock is frozen.', fields: html`<button>Freeze now</button>` })}${actionForm(scene, { name: 'run-clock', done: 'The clock is running.', fields: html`<button>Let it run</button>` })}${actionForm(scene, { name: 'reset-clock', done: "The clock was reset to this machine's time.", fields: html`<button>Reset to this machine's time</button>` })}</div>`
}
