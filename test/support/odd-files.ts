import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { LIMIT_MS } from './limit.ts'
import { freshDirectory } from './partner.ts'

/** Kinds of files that a test can create instead of a plain file, each with a pattern for the error message. */
export const ODD_KINDS = {
  'a named pipe': /named pipe/,
  'a directory': /is a directory/,
  'a socket': /socket/,
  'a link to a file': /symbolic link/,
  'a dangling link': /symbolic link/,
  'a link to /dev/full': /symbolic link|device/,
} as const
export type OddKind = keyof typeof ODD_KINDS

/**
 * The targets of the symbolic links that {@link placeOddFile} creates. Tests can check that nothing was written to
 * these targets.
 */
export interface Beyond {
  readonly file: string
  readonly nowhere: string
}

/** Creates a file of the given kind and its parent directories. */
export async function placeOddFile(kind: OddKind, path: string): Promise<Beyond> {
  const directory = freshDirectory()
  const beyond = { file: join(directory, 'theirs'), nowhere: join(directory, 'nowhere') }
  writeFileSync(beyond.file, THEIRS)
  mkdirSync(dirname(path), { recursive: true })
  if (kind === 'a named pipe') execFileSync('mkfifo', [path], { timeout: LIMIT_MS })
  if (kind === 'a directory') mkdirSync(path)
  if (kind === 'a link to a file') symlinkSync(beyond.file, path)
  if (kind === 'a dangling link') symlinkSync(beyond.nowhere, path)
  if (kind === 'a link to /dev/full') symlinkSync('/dev/full', path)
  if (kind === 'a socket') {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    onTestFinished(() => void server.close())
  }
  return beyond
}

export const THEIRS = 'theirs, and not to be touched'
