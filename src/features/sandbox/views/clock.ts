import type { JsonObject } from '../../../base/json/exact.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import type { ViewContext } from '../../../terminal/render/view.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { instantMs, utcSeconds } from '../../shared/views/moments.ts'
import { textAt } from '../../shared/views/wording.ts'
import { rowsOf } from './row.ts'

export const clockViews: Views = {
  card: {
    title: (clock) => [
      { text: `${utcSeconds(textAt(clock, 'now'))} UTC`, tone: 'strong' },
      { text: stateText(clock), tone: clock['frozen'] === true ? 'warn' : 'good' },
    ],
    sections: onlyFields([
      {
        label: 'Difference',
        paths: ['now', 'frozen', 'shifted'],
        cell: (clock, context) => (clock['shifted'] === true ? awayText(clock, context) : 'none'),
      },
      {
        label: 'Reset with',
        paths: [],
        cell: (clock) => (clock['shifted'] === true ? 'partner sandbox clock reset' : ''),
      },
    ]),
  },
  list: rowsOf('clock', 'No clock.', [
    { path: 'now', header: 'NOW' },
    { path: 'frozen', header: 'CLOCK', cell: stateText },
    { path: 'shifted', header: 'SHIFTED' },
  ]),
}

function stateText({ frozen }: JsonObject): string {
  return frozen === true ? 'frozen' : 'running'
}

function awayText(clock: JsonObject, { now }: ViewContext): string {
  const aheadMs = (instantMs(clock['now']) ?? now) - now
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
}
