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

/** A sync's last run, if it failed. */
export interface FailedRun {
  /** When the run failed, in ISO 8601. */
  readonly at: string
  readonly code: FailureCode
  readonly exitCode: number
  readonly message: string
}

/**
 * Failures that do not indicate a problem with the copy: an invalid command line, a lock held by another run, or an
 * interruption.
 */
const NOT_OF_THE_RUN: readonly FailureCode[] = ['USAGE', 'LOCKED', 'INTERRUPTED']

/**
 * A note, stored on this machine, that the last run of a sync failed. The copy itself records only runs that committed.
 * Errors while reading or writing the note are ignored, because the copy's age eventually reveals the problem anyway.
 */
export class FailedRunNote {
  /** The notes directory, or `null` without a data directory. */
  readonly #directory: string | null
  readonly #key: string

  /** `to` is the target as given with `--to`. */
  constructor(env: Variables, { to, source, resource }: CopyKey & { readonly to: string }) {
    const isFile = databaseKind(to) === null
    // A file contains only one venue, so the source is not part of the key.
    this.#key = JSON.stringify([identityOf(to), isFile ? '' : source, resource])
    this.#directory = attempt(() => join(dataDirectory(env), 'failed-runs'), null)
  }

  /** Writes the note, with secrets redacted. */
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

  /** Removes the note after a successful run. Removes the directory when it is empty. */
  clear(): void {
    const path = this.#path()
    if (path === null) return
    discard(path)
    attempt(() => rmdirSync(dirname(path)), undefined)
  }

  /** Returns the last run if it failed, or `null` otherwise. */
  read(): FailedRun | null {
    const path = this.#path()
    const note: unknown = path && parseJsonOrNull(attempt(() => readOwnText(path), null) ?? '')
    return isJsonObject(note) && typeof note['at'] === 'string' && typeof note['message'] === 'string'
      ? (note as unknown as FailedRun)
      : null
  }

  /** Returns the note's path, or `null` if the notes directory does not exist. */
  #path(): string | null {
    return this.#directory === null || !existsSync(this.#directory) ? null : this.#pathIn(this.#directory)
  }

  #pathIn(directory: string): string {
    // Load this module only when there are notes, because loading it takes time.
    const { createHash } = process.getBuiltinModule('node:crypto')
    return join(directory, `${createHash('sha256').update(this.#key).digest('hex').slice(0, 24)}.json`)
  }
}

/** Returns the same text for every spelling of a target. Ignores a database's password. */
function identityOf(to: string): string {
  if (databaseKind(to) === 'postgres') return to.replace(/^([^:]+:\/\/[^:/?#@]*):[^@]*@/, '$1@')
  const path = resolve(to)
  return join(
    attempt(() => realpathSync(dirname(path)), dirname(path)),
    basename(path),
  )
}
