import { join } from 'node:path'
import { counted } from '../../../../base/counted.ts'
import { Failure } from '../../../../base/failure/failure.ts'
import { shellWord } from '../../../../base/failure/shell-word.ts'
import { cacheDirectory } from '../../../../base/storage/directories.ts'
import { isDamaged } from '../../../../base/storage/sqlite.ts'
import { REMEMBERED_MS } from '../../../../client/calls/pace.ts'
import { type RememberedLimit, readPaceFile } from '../../../../client/pace-file.ts'
import type { Section } from '../examination.ts'
import { ok, warn } from '../finding.ts'

const NAME = 'pace file'
/** The tolerance for clocks of one machine. Milliseconds. */
const SLACK_MS = 60_000

/** Checks the remembered rate limits. An outdated one makes commands wait for nothing. */
export const paceSection: Section = {
  rows: [NAME],
  needs: [],
  *examine({ around }) {
    const path = join(cacheDirectory(around.env), 'pace.db')
    const remove = `rm ${shellWord(path)}`
    let limits: readonly RememberedLimit[] | null
    try {
      limits = readPaceFile(path)
    } catch (error) {
      if (error instanceof Failure) throw error
      const why = isDamaged(error) ? 'is damaged' : 'cannot be read'
      yield warn(NAME, `${path} ${why}, so limits are not remembered; it may be removed at any time`, remove)
      return
    }
    if (limits === null || limits.length === 0) return yield ok(NAME, 'no limit is remembered')
    const now = around.now()
    const isAhead = limits.some(({ learnedAt }) => learnedAt > now + SLACK_MS)
    if (isAhead)
      return yield warn(
        NAME,
        `${path} remembers a limit from the future, which it would keep until then: the clock was set back`,
        remove,
      )
    const count = counted(limits.length, 'limit')
    if (limits.every(({ learnedAt }) => learnedAt <= now - REMEMBERED_MS))
      return yield warn(NAME, `${path} is stale: its ${count} are more than a day old and no longer count`, remove)
    yield ok(NAME, `${path} remembers ${count}`)
  },
}
