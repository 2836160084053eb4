import { type Tone, toned } from '../../terminal/render/text/tone.ts'
import type { CardView } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { textAt } from '../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = { ok: 'good', fail: 'bad', skipped: 'dim' }

export const checkCard: CardView = {
  title: (one) => [{ text: textAt(one, 'check'), tone: 'strong' }, toned(textAt(one, 'result'), TONES)],
  sections: onlyFields([
    { label: 'A correct receiver answers', paths: ['good', 'check', 'result'] },
    { label: 'Yours', paths: ['yours'] },
    { label: 'Took', paths: ['ms'], cell: (one) => `${textAt(one, 'ms')} ms` },
  ]),
}

export const checkList = listOf('check', 'checks', 'No checks.', {
  columns: [
    { path: 'check', header: 'CHECK', rank: 1 },
    { path: 'result', header: 'RESULT', cell: (one) => toned(textAt(one, 'result'), TONES), rank: 2 },
    { path: 'good', header: 'A CORRECT RECEIVER ANSWERS', flex: 16, wraps: true, rank: 4 },
    { path: 'yours', header: 'YOURS', flex: 16, wraps: true, rank: 3 },
  ],
  csvPaths: ['check', 'result', 'good', 'yours', 'ms'],
  card: checkCard,
})

export const knownCheckList = listOf('check', 'checks', 'No checks.', {
  columns: [
    { path: 'check', header: 'CHECK', rank: 1 },
    { path: 'good', header: 'A CORRECT RECEIVER ANSWERS', flex: 24, wraps: true, rank: 2 },
  ],
})
