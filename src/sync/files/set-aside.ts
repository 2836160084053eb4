import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { Failure } from '../../base/failure/failure.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { cutFile } from './data-file.ts'

const STEP_BYTES = 1024 * 1024

/**
 * Moves what is beyond a length of a file to the end of `x.ndjson.appended`, and returns the name of that file. It is on disk there
 * before it is cut off here. Fails: USAGE when something else than a file is in the way; INTERNAL when it cannot be written.
 */
export function setAside(path: string, length: number): string {
  const aside = `${path}.appended`
  try {
    const from = openSync(path, 'r')
    try {
      const to = openOwnFile(aside, 'append')
      try {
        copyRest(from, length, to)
        fsyncSync(to)
      } finally {
        closeSync(to)
      }
    } finally {
      closeSync(from)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INTERNAL', `cannot write ${aside}: ${describeSystemError(error)}`, {
      hint: `it is for text that something else appended to ${path}; nothing was changed`,
      cause: error,
    })
  }
  cutFile(path, length)
  return aside
}

function copyRest(from: number, start: number, to: number): void {
  const bytes = Buffer.allocUnsafe(STEP_BYTES)
  for (let at = start; ; ) {
    const got = readSync(from, bytes, 0, bytes.length, at)
    if (got === 0) return
    at += got
    for (let done = 0; done < got; ) done += writeSync(to, bytes, done, got - done)
  }
}
