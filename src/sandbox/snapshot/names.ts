import { basename, join, resolve } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { findNameProblem } from '../../base/windows-names.ts'
import { READY_SNAPSHOTS } from './ready/ready.ts'
import type { ReadySnapshot } from './ready/scene.ts'

export const EXTENSION = '.snapshot'

/**
 * Matches valid snapshot names. A name cannot start with a hyphen, because it would look like a flag, or with a dot,
 * because the file would be hidden.
 */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

/** Returns the directory that contains saved snapshots. */
export function snapshotsDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'snapshots')
}

/** Returns whether an argument is a path. An argument without a slash or the file extension is a name. */
export function isPath(word: string): boolean {
  return word.includes('/') || (process.platform === 'win32' && word.includes('\\')) || word.endsWith(EXTENSION)
}

/** Returns whether a snapshot can be saved under a name. */
export function isSnapshotName(name: string): boolean {
  return NAME.test(name) && findNameProblem(name) === null
}

/** Returns the path of a saved snapshot's file. Throws USAGE if the name is invalid. */
export function savedSnapshotPath(name: string, directory: string): string {
  const problem = findNameProblem(name)
  if (problem !== null)
    throw new Failure('USAGE', `a snapshot cannot be named ${JSON.stringify(name)}: it ${problem}`, {
      hint: `choose a different name, such as my-${name.replace(/[. ]+$/, '')}`,
    })
  if (NAME.test(name)) return join(directory, name + EXTENSION)
  throw new Failure('USAGE', `a snapshot cannot be named ${JSON.stringify(name)}`, {
    hint: `a name consists of 1 to 64 letters, digits, dots, hyphens and underscores; a path contains a slash or ends in ${EXTENSION}: ./friday${EXTENSION}`,
  })
}

export function findReadySnapshot(name: string): ReadySnapshot | undefined {
  return READY_SNAPSHOTS.find((one) => one.name === name)
}

/**
 * Returns the path where a snapshot is saved, given a path or a name. Throws USAGE if the name is invalid or belongs to
 * a ready-made snapshot.
 */
export function resolveSavePath(word: string, directory: string): { readonly name: string; readonly file: string } {
  if (isPath(word)) {
    const problem = findNameProblem(word)
    if (problem !== null) throw new Failure('USAGE', `${word} ${problem}`, { hint: 'choose another name' })
    return { name: basename(word, EXTENSION), file: resolve(word) }
  }
  const file = savedSnapshotPath(word, directory)
  rejectReadyName(word, `"${word}" is the name of a ready-made snapshot`)
  return { name: word, file }
}

/** Throws USAGE if a ready-made snapshot has the name, ignoring case. */
export function rejectReadyName(name: string, problem: string): void {
  if (findReadySnapshot(name.toLowerCase()))
    throw new Failure('USAGE', problem, {
      hint: `ready-made snapshots cannot be changed; choose a different name, such as my-${name}`,
    })
}

/**
 * Returns the failure for an unknown snapshot name. The hint suggests the most similar name and lists all ready-made
 * and saved snapshots.
 */
export function unknownSnapshotFailure(name: string, saved: readonly string[]): Failure {
  const ready = READY_SNAPSHOTS.map((one) => one.name)
  const known = [...ready, ...saved]
  const near = findNearest(name, known)
  const all = `ready: ${ready.join(', ')}; saved: ${saved.length === 0 ? 'none' : saved.join(', ')}`
  return new Failure('NOT_FOUND', `no snapshot is named "${name}"`, {
    hint: `${near === null ? '' : `did you mean ${near}? `}${all}; a path has a slash or ends in ${EXTENSION}`,
    guide: 'snapshots',
    details: { snapshots: known, suggestion: near },
  })
}
