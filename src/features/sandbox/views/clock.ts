import type { JsonObject } from '../../../base/json/exact.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { CardView, ListView, ViewContext } from '../../../terminal/render/view.ts'
import { instantMs, utcSeconds } from '../../shared/views/moments.ts'
import { textAt } from '../../shared/views/wording.ts'

/** The sandbox's time: `{now, frozen, shifted}`. */
export const clockCard: CardView = {
  title: (clock) => [
    { text: `${utcSeconds(textAt(clock, 'now'))} UTC`, tone: 'strong' },
    clock['frozen'] === true ? { text: 'frozen', tone: 'warn' } : { text: 'running', tone: 'good' },
  ],
  sections: [
    {
      heading: null,
      fields: [
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
      ],
    },
  ],
}

/** The same, as a row. */
export const clockList: ListView = {
  columns: [
    { path: 'now', header: 'NOW' },
    { path: 'frozen', header: 'CLOCK', cell: (clock: JsonObject) => (clock['frozen'] === true ? 'frozen' : 'running') },
    { path: 'shifted', header: 'SHIFTED' },
  ],
  csvPaths: ['now', 'frozen', 'shifted'],
  empty: 'No clock.',
  one: 'clock',
  many: 'clocks',
}

function awayText(clock: JsonObject, { now }: ViewContext): string {
  const aheadMs = (instantMs(clock['now']) ?? now) - now
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
}
