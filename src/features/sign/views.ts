import type { CardView } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { textAt } from '../shared/views/wording.ts'

/**
 * The card view of a signature: `{signature, header, url, bodyBytes}`. `header` is `null` if the header's name is
 * unknown.
 */
export const signatureCard: CardView = {
  title: (one) => [textAt(one, 'signature')],
  sections: onlyFields([{ label: '', paths: ['signature', 'header', 'url', 'bodyBytes'], cell: () => '' }]),
}

export const signatureList = listOf('signature', 'signatures', 'No signature.', {
  columns: [
    { path: 'signature', header: 'SIGNATURE', rank: 1 },
    { path: 'header', header: 'HEADER', optional: true },
    { path: 'url', header: 'URL', flex: 20 },
    { path: 'bodyBytes', header: 'BODY BYTES', align: 'right' },
  ],
})

/** The card view of a correct signature: `{valid, signature, url, bodyBytes}`. A wrong signature is an error. */
export const verdictCard: CardView = {
  title: () => [{ text: 'The signature is correct.', tone: 'good' }],
  sections: onlyFields([{ label: '', paths: ['valid', 'signature', 'url', 'bodyBytes'], cell: () => '' }]),
}

export const verdictList = listOf('signature', 'signatures', 'No signature.', {
  columns: [
    { path: 'valid', header: 'VALID' },
    { path: 'signature', header: 'SIGNATURE', rank: 1 },
    { path: 'url', header: 'URL', flex: 20 },
  ],
  csvPaths: ['valid', 'signature', 'url', 'bodyBytes'],
})
