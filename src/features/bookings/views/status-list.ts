import type { ListView } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'
import { statusCell } from './status.ts'

/** The statuses of a venue, the code first because commands take it. Source: "GET /Resources/booking-statuses". */
export const bookingStatusList: ListView = {
  columns: [
    { path: 'code', header: 'CODE', rank: 1 },
    {
      path: 'name',
      header: 'NAME',
      flex: 12,
      cell: (status) => {
        const cell = statusCell({ statusType: status['statusType'], name: status['name'] })
        const text = textAt(status, 'name')
        return typeof cell === 'string' ? text : { text, tone: cell.tone }
      },
    },
    { path: 'statusType', header: 'TYPE', flex: 8 },
  ],
  csvPaths: ['code', 'name', 'statusType'],
  empty: 'This venue has no booking statuses.',
  one: 'status',
  many: 'statuses',
}
