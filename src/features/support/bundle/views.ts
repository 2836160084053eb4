import type { JsonObject } from '../../../base/json/exact.ts'
import type { CardView } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { textAt } from '../../shared/views/wording.ts'

/** The list view of the files that a bundle would contain: `{name, about}`. */
export const bundlePlanList = listOf('file', 'files', 'No files.', {
  columns: [
    { path: 'name', header: 'FILE', rank: 1 },
    { path: 'about', header: 'CONTENTS', flex: 24, rank: 2 },
  ],
})

/**
 * The card view of a written bundle: `{file, bytes, parts: [{name, about, bytes}], missing: [{name, about, problem}]}`.
 */
export const bundleCard: CardView = {
  title: (bundle) => [
    { text: textAt(bundle, 'file'), tone: 'strong' },
    { text: sizeText(bundle), tone: 'dim' },
  ],
  sections: [
    {
      heading: 'Contents',
      path: 'parts',
      columns: [
        { path: 'name', header: 'FILE', rank: 1 },
        { path: 'bytes', header: 'SIZE', align: 'right', cell: sizeText, rank: 2 },
        { path: 'about', header: 'CONTENTS', flex: 24, rank: 3 },
      ],
    },
    {
      heading: 'Could not be collected',
      path: 'missing',
      columns: [
        { path: 'name', header: 'FILE', rank: 1 },
        { path: 'problem', header: 'PROBLEM', flex: 24, rank: 2 },
      ],
      covers: ['about'],
    },
    { heading: null, fields: [{ label: 'File', paths: ['file', 'bytes'], cell: () => '' }] },
  ],
}

/** The list view of a written bundle, which has a single row. */
export const bundleList = listOf('bundle', 'bundles', 'No bundle.', {
  columns: [
    { path: 'file', header: 'FILE', rank: 1 },
    { path: 'bytes', header: 'BYTES', align: 'right', rank: 2 },
  ],
  csvPaths: ['file', 'bytes', 'parts', 'missing'],
  card: bundleCard,
})

function sizeText(record: JsonObject): string {
  const bytes = Number(record['bytes'] ?? 0)
  if (bytes < 1000) return `${bytes} B`
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
