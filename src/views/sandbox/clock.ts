import type { JsonObject } from '../../json/exact.ts'
import type { CardView, ListView, ViewContext } from '../../render/view.ts'
import { formatDuration } from '../../time/duration.ts'
import { instantMs } from '../moments.ts'
import { textAt } from '../wording.ts'
import { utcSeconds } from './times.ts'

/** The sandbox's time: `{now, frozen, shifted}`. */
export const clockCard: CardView = {
  title: (clock) => [
    { text: `${utcSeconds(textAt(clock, 'now'))} UTC`, tone: 'strong' },
    clock['frozen'] === true ? { text: 'held', tone: 'warn' } : { text: 'running', tone: 'good' },
  ],
  sections: [
    {
      heading: null,
      fields: [
        {
          label: 'Against this machine',
          paths: ['now', 'frozen', 'shifted'],
          cell: (clock, context) => (clock['shifted'] === true ? awayText(clock, context) : 'the same'),
        },
        {
          label: 'To reset it',
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
    { path: 'frozen', header: 'CLOCK', cell: (clock: JsonObject) => (clock['frozen'] === true ? 'held' : 'running') },
    { path: 'shifted', header: 'SHIFTED' },
  ],
  csvPaths: ['now', 'frozen', 'shifted'],
  empty: 'No clock.',
  one: 'clock',
  many: 'clocks',
}

function awayText(clock: JsonObject, { now }: ViewContext): string {
  const aheadMs = (instantMs(clock['now']) ?? now) - now
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead'}`
}
