import type { CardView, ListView } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { textAt } from '../shared/views/wording.ts'

/** That a profile works: `{profile, baseUrl, ok, statuses, elapsedMs}`; `profile` is null when only variables name the service. */
export const profileCheckCard: CardView = {
  title: (check) => [
    { text: textAt(check, 'profile') || 'The service', tone: 'strong' },
    { text: 'works', tone: 'good' },
  ],
  sections: onlyFields([
    { label: 'Base URL', paths: ['baseUrl', 'profile', 'ok'] },
    { label: 'Key', paths: ['ok'], cell: () => 'accepted, and a venue is linked to it' },
    {
      label: 'Statuses',
      paths: ['statuses'],
      cell: (check) => `${textAt(check, 'statuses')} booking statuses at this venue`,
    },
    { label: 'Answered in', paths: ['elapsedMs'], cell: (check) => `${textAt(check, 'elapsedMs')} ms` },
  ]),
}

/** The same, as a row. */
export const profileCheckList: ListView = {
  columns: [
    { path: 'profile', header: 'PROFILE' },
    { path: 'baseUrl', header: 'BASE URL', flex: 20 },
    { path: 'ok', header: 'OK' },
    { path: 'statuses', header: 'STATUSES', align: 'right' },
    { path: 'elapsedMs', header: 'MS', align: 'right' },
  ],
  csvPaths: ['profile', 'baseUrl', 'ok', 'statuses', 'elapsedMs'],
  empty: 'Nothing was checked.',
  one: 'check',
  many: 'checks',
}
