import { basename, join, resolve } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { READY } from './ready/ready.ts'
import type { ReadySnapshot } from './ready/scene.ts'

export const ENDING = '.snapshot'

/** No leading hyphen (it looks like a flag) or dot (it hides the file). */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/

/** The directory of saved snapshots. */
export function savedIn(dataDirectory: string): string {
  return join(dataDirectory, 'snapshots')
}

/** True for a path: it has a slash or the extension. Anything else is a name. */
export function isPath(word: string): boolean {
  return word.includes('/') || (process.platform === 'win32' && word.includes('\\')) || word.endsWith(ENDING)
}

/** The file of a saved snapshot. Fails: USAGE for an invalid name. */
export function fileOf(name: string, directory: string): string {
  if (NAME.test(name)) return join(directory, name + ENDING)
  throw new Failure('USAGE', `a snapshot cannot be called ${JSON.stringify(name)}`, {
    hint: `a name is 1 to 64 letters, digits, dots, hyphens and underscores; a file has a slash or ends in ${ENDING}: ./friday${ENDING}`,
  })
}

export function findReady(name: string): ReadySnapshot | undefined {
  return READY.find((one) => one.name === name)
}

/** Where to save a snapshot, by file or name. Fails: USAGE for an invalid name, and the name of a ready one. */
export function placeToSave(word: string, directory: string): { readonly name: string; readonly file: string } {
  if (isPath(word)) return { name: basename(word, ENDING), file: resolve(word) }
  const file = fileOf(word, directory)
  refuseReady(word, `"${word}" is the name of a ready snapshot`)
  return { name: word, file }
}

/** Fails: USAGE for the name of a ready snapshot, in any case. */
export function refuseReady(name: string, problem: string): void {
  if (findReady(name.toLowerCase()))
    throw new Failure('USAGE', problem, {
      hint: `ready ones stay as they are; choose another name, such as my-${name}`,
    })
}

/** Says that a snapshot does not exist, with the nearest name and all names. `saved` are the names of saved ones. */
export function unknownSnapshot(name: string, saved: readonly string[]): Failure {
  const ready = READY.map((one) => one.name)
  const known = [...ready, ...saved]
  const near = findNearest(name, known)
  const all = `ready: ${ready.join(', ')}; saved: ${saved.length === 0 ? 'none' : saved.join(', ')}`
  return new Failure('NOT_FOUND', `there is no snapshot "${name}"`, {
    hint: `${near === null ? '' : `did you mean ${near}? `}${all}; a file has a slash or ends in ${ENDING}`,
    guide: 'snapshots',
    details: { snapshots: known, suggestion: near },
  })
}
