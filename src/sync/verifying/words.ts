import { counted } from '../../base/counted.ts'
import { Failure } from '../../base/failure/failure.ts'
import type { Verdict } from './verify.ts'

/** What was found, in a line: `bookings: 636 compared, 2 missing, 1 stale, 0 extra; mended; 33 requests`. */
export function verdictLine({ compared, notDue, requests, isMended, notStored, counts, lines }: Verdict): string {
  const found = lines.length === 0 ? 'no difference' : countsText(counts)
  const left = notStored.length === 0 ? '' : `, all but ${notStored.length}`
  const mended = isMended && lines.length > 0 ? `; mended${left}` : ''
  const later = notDue === 0 ? '' : `; ${notDue} changed since the last sync`
  return `bookings: ${compared} compared, ${found}${mended}${later}; ${counted(requests, 'request')}`
}

/** The failure (exit 11) of a copy that differs and was not mended. */
export function differsFailure({ counts, compared, notDue }: Verdict): Failure {
  return new Failure('PARTIAL_FAILURE', `the copy differs from the service: ${countsText(counts)}`, {
    hint: 'write the difference into the copy with --repair',
    details: { ...counts, compared, notDue },
  })
}

function countsText({ missing, stale, extra }: Verdict['counts']): string {
  return `${missing} missing, ${stale} stale, ${extra} extra`
}
