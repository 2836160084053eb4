import { existsSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import type { FailureCode } from '../../base/failure/exit-codes.ts'
import type { Failure } from '../../base/failure/failure.ts'
import { isJsonObject } from '../../base/json/exact.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { hideSecrets } from '../../base/redaction/redaction.ts'
import { dataDirectory, type Variables } from '../../base/storage/directories.ts'
import { replaceFile } from '../../base/storage/durable-write.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { discard } from '../../base/storage/rename-remove.ts'
import type { CopyKey } from '../copy.ts'
import { databaseKind } from '../database-kind.ts'

/** A run of a sync that failed. Later runs have not succeeded. */
export interface FailedRun {
  /** When the run failed, in ISO 8601. */
  readonly at: string
  readonly code: FailureCode
  readonly exitCode: number
  readonly message: string
}

/** Failures that say nothing about the copy: the command line is wrong, another run is working, or a user stopped it. */
const NOT_OF_THE_RUN: readonly FailureCode[] = ['USAGE', 'LOCKED', 'INTERRUPTED']

/**
 * Notes on this machine whether the last run of a sync failed, because a copy knows only the runs that committed. A
 * note that cannot be written or read is ignored: the age of the copy tells of the same trouble, only later.
 */
export class FailedRunNote {
  /** The directory of all notes, or `null` if there is no data directory. */
  readonly #directory: string | null
  readonly #key: string

  /** `to` is the target, as it was named with `--to`. */
  constructor(env: Variables, { to, source, resource }: CopyKey & { readonly to: string }) {
    const isFile = databaseKind(to) === null
    // A file has the records of only one venue.
    this.#key = JSON.stringify([identityOf(to), isFile ? '' : source, resource])
    this.#directory = attempt(() => join(dataDirectory(env), 'failed-runs'), null)
  }

  /** Writes the note, without the secrets that the run hides. */
  write(
    failure: Failure,
    { now, stderr }: { readonly now: () => number; readonly stderr: { readonly hidden: readonly string[] } },
  ): void {
    const { code, exitCode, message } = failure
    if (NOT_OF_THE_RUN.includes(code)) return
    const note: FailedRun = {
      at: new Date(now()).toISOString(),
      code,
      exitCode,
      message: hideSecrets(message.replace(/\s*\n\s*/g, '; '), stderr.hidden),
    }
    attempt(() => {
      if (this.#directory === null) return
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      replaceFile(this.#pathIn(this.#directory), JSON.stringify(note))
    }, undefined)
  }

  /** Removes the note after a run that succeeded, and the directory with the last note. */
  clear(): void {
    const path = this.#path()
    if (path === null) return
    discard(path)
    attempt(() => rmdirSync(dirname(path)), undefined)
  }

  /** Returns the last run if it failed, and otherwise `null`. */
  read(): FailedRun | null {
    const path = this.#path()
    const note: unknown = path && parseJsonOrNull(attempt(() => readOwnText(path), null) ?? '')
    return isJsonObject(note) && typeof note['at'] === 'string' && typeof note['message'] === 'string'
      ? (note as unknown as FailedRun)
      : null
  }

  /** Returns the path of the note, or `null` if there are no notes. */
  #path(): string | null {
    return this.#directory === null || !existsSync(this.#directory) ? null : this.#pathIn(this.#directory)
  }

  #pathIn(directory: string): string {
    // Loaded only if the last run of any sync failed, because loading it takes time.
    const { createHash } = process.getBuiltinModule('node:crypto')
    return join(directory, `${createHash('sha256').update(this.#key).digest('hex').slice(0, 24)}.json`)
  }
}

/** Returns what identifies a target, however it is named. The password of a database does not count. */
function identityOf(to: string): string {
  if (databaseKind(to) === 'postgres') return to.replace(/^([^:]+:\/\/[^:/?#@]*):[^@]*@/, '$1@')
  const path = resolve(to)
  return join(
    attempt(() => realpathSync(dirname(path)), dirname(path)),
    basename(path),
  )
}
