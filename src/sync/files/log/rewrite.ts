import { fstatSync } from 'node:fs'
import { openReplacement, type Replacement } from '../../../base/storage/durable-write.ts'
import type { SyncRecord } from '../../record.ts'
import { tailOf } from '../data-file.ts'
import { hashText } from '../hash-table.ts'
import { type Log, logLines } from './lines.ts'

/** So much is written at once. Characters. */
const STEP_LENGTH = 512 * 1024

/** A log without some of its lines, which is to take the place of the whole one. */
export interface Rewritten {
  readonly replacement: Replacement
  readonly length: number
  readonly tail: string
  /** How many lines it lacks. */
  readonly dropped: number
  /** The versions that it has no more, by hash. */
  readonly droppedVersions: ReadonlySet<string>
}

/** Writes a log anew without the lines that `drops` picks. Nothing takes its place yet. Fails: INTERNAL; USAGE for a line that is no JSON. */
export function rewriteLog(log: Log, drops: (record: SyncRecord) => boolean): Rewritten {
  const replacement = openReplacement(log.path, fstatSync(log.descriptor).mode & 0o777)
  const droppedVersions = new Set<string>()
  let [length, dropped, pending] = [0, 0, '']
  const write = () => {
    const bytes = Buffer.from(pending)
    replacement.write(bytes)
    length += bytes.byteLength
    pending = ''
  }
  try {
    for (const { line, record } of logLines(log)) {
      if (drops(record)) {
        dropped++
        droppedVersions.add(hashText(record.version))
      } else pending += `${line}\n`
      if (pending.length >= STEP_LENGTH) write()
    }
    write()
    return { replacement, length, tail: tailOf(replacement.descriptor, length), dropped, droppedVersions }
  } catch (error) {
    replacement.drop()
    throw error
  }
}
