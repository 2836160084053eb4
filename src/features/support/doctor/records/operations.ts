import { existsSync } from 'node:fs'
import { shellWord } from '../../../../base/failure/shell-word.ts'
import { dataDirectory } from '../../../../base/storage/directories.ts'
import { formatDuration } from '../../../../base/time/duration.ts'
import { SANDBOX_PROFILE } from '../../../../client/profiles/profile.ts'
import { isSameService } from '../../../../client/same-service.ts'
import { centsText } from '../../../../money/amount.ts'
import type { Operation } from '../../../../money/operations/operation.ts'
import { OperationStore } from '../../../../money/operations/store.ts'
import { isInside, type Known, type Section } from '../examination.ts'
import { ok, warn } from '../finding.ts'

const NAME = 'operations'
const SHOWN = 5

/** Checks for money writes whose outcome is unknown. The same write is refused until it is resolved. */
export const operationsSection: Section = {
  rows: [NAME],
  needs: ['data directory', 'disk'],
  *examine({ around }, known) {
    const path = OperationStore.pathIn(dataDirectory(around.env))
    // Opening the store would create it.
    if (!existsSync(path)) return yield ok(NAME, 'no write of money was made yet')
    const store = OperationStore.open(path)
    try {
      const open = [...store.list({ state: 'open' })]
      const here = open.filter((operation) => isOf(operation, known))
      for (const operation of here.slice(0, SHOWN))
        yield warn(
          NAME,
          `${operation.id} is open: nobody knows whether ${described(operation)} was done, ${formatDuration(Math.max(0, around.now() - operation.startedAt))} ago`,
          `partner operations resolve ${shellWord(operation.id)}`,
        )
      if (here.length > SHOWN)
        yield warn(NAME, `${here.length - SHOWN} more are open`, 'partner operations list --state open')
      const elsewhere = open.length - here.length
      if (here.length === 0)
        yield ok(NAME, elsewhere === 0 ? 'none is open' : `none is open here; ${elsewhere} at other services`)
    } finally {
      store.close()
    }
  },
}

/** Whether a write was for this service. True for all if the service is not known. */
function isOf({ service }: Operation, known: Known): boolean {
  if (known.settings === null) return true
  if (isInside(known)) return service === SANDBOX_PROFILE
  return isSameService(service, known.settings.baseUrl?.value.href.replace(/\/+$/, '') ?? null)
}

function described({ command, cents }: Operation): string {
  return cents === null ? command : `${command} of ${centsText(cents)}`
}
