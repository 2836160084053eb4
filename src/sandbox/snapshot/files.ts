import { closeSync, existsSync, fstatSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { makeDirectoryCommand, removeFileCommand } from '../../base/failure/shell-word.ts'
import { isJsonObject } from '../../base/json/exact.ts'
import { parseJson } from '../../base/json/parse.ts'
import { ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import { readGivenFile } from '../../base/storage/given-file.ts'
import { openOwnFile, readOwnText } from '../../base/storage/own-file.ts'
import { removeFile } from '../../base/storage/rename-remove.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { decodeUtf8 } from '../../base/utf8.ts'
import { FORMAT_MEMBER } from './form/header.ts'
import {
  EXTENSION,
  findReadySnapshot,
  isPath,
  isSnapshotName,
  rejectReadyName,
  savedSnapshotPath,
  unknownSnapshotFailure,
} from './names.ts'
import { READY_SNAPSHOTS, writeReadySnapshot } from './ready/ready.ts'

/** The text of a snapshot and its name in messages. */
export type FoundSnapshot = Readonly<Record<'name' | 'text', string>>

const MAX_BYTES = 512 * 1024 * 1024

/**
 * Finds a snapshot by path, by ready-made name or by saved name. Throws NOT_FOUND if there is none, and USAGE if the
 * name or file is invalid.
 */
export async function findSnapshot(word: string, directory: string, signal?: AbortSignal): Promise<FoundSnapshot> {
  if (isPath(word)) return { name: word, text: await readFile(word, signal) }
  const ready = findReadySnapshot(word)
  if (ready) return { name: word, text: writeReadySnapshot(ready) }
  const file = savedSnapshotPath(word, directory)
  const text = readOwnText(file)
  if (text === null) throw unknownSnapshotFailure(word, savedNames(directory))
  return { name: file, text }
}

async function readFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    const { bytes } = await readGivenFile(path, { maxBytes: MAX_BYTES, signal })
    return decodeUtf8(bytes, path)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof Failure) throw error
    if (getSystemErrorCode(error) === 'ENOENT')
      throw new Failure('NOT_FOUND', `the file ${path} does not exist`, {
        hint: 'list all snapshots: partner sandbox snapshot list',
        guide: 'snapshots',
      })
    throw new Failure('USAGE', `cannot read ${path}: ${describeSystemError(error)}`, {
      hint: `pass the path of a snapshot file; the files of saved snapshots end in ${EXTENSION}`,
    })
  }
}

/**
 * Whether saving would replace an existing snapshot. Throws USAGE if the directory does not exist, or if the existing
 * file is not a snapshot.
 */
export function wouldReplaceSnapshot(file: string, directory: string): boolean {
  if (dirname(file) !== resolve(directory) && !existsSync(dirname(file)))
    throw new Failure('USAGE', `the directory ${dirname(file)} does not exist`, {
      hint: `create it: ${makeDirectoryCommand(file)}`,
    })
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  if (isThere && readFirstLine(file) === null)
    throw new Failure('USAGE', `${file} is not a snapshot and was not changed`, { hint: 'choose another name' })
  return isThere
}

/**
 * Writes a snapshot atomically, to a file that only its owner can read. Throws INTERNAL if it cannot be written, and
 * the same errors as {@link wouldReplaceSnapshot}.
 */
export function writeSnapshotFile(file: string, text: string, directory: string): void {
  wouldReplaceSnapshot(file, directory)
  if (dirname(file) === resolve(directory)) ensurePrivateDirectory(directory)
  writeFileDurably(file, text)
}

/**
 * Returns the path of a saved snapshot. Throws NOT_FOUND if there is none, and USAGE if the name is a path, is invalid,
 * or belongs to a ready-made snapshot.
 */
export function findSavedFile(name: string, directory: string): string {
  if (isPath(name))
    throw new Failure('USAGE', `${name} is a file, not a snapshot name`, {
      hint: `remove it yourself: ${removeFileCommand(name)}`,
    })
  const file = savedSnapshotPath(name, directory)
  rejectReadyName(name, `"${name}" is a ready-made snapshot and cannot be deleted`)
  if (!existsSync(file)) throw unknownSnapshotFailure(name, savedNames(directory))
  return file
}

export function deleteSnapshot(file: string): void {
  removeFile(file)
}

/**
 * Lists the ready-made snapshots, followed by the saved snapshots sorted by name. `clock` is in ISO 8601 UTC, or `null`
 * if the file is unreadable. `about` is `null` for saved snapshots.
 */
export function listSnapshots(directory: string) {
  const noFile = { bytes: null, savedAt: null, file: null }
  const ready = READY_SNAPSHOTS.map(({ name, about, clock }) => ({
    name,
    kind: 'ready' as const,
    about,
    clock,
    ...noFile,
  }))
  const saved = savedNames(directory).map((name) => {
    const file = savedSnapshotPath(name, directory)
    const { size: bytes, mtime } = statSync(file)
    const first = readFirstLine(file)?.['clock']
    const clock = typeof first === 'string' ? first : null
    return { name, kind: 'saved' as const, about: null, clock, bytes, savedAt: mtime.toISOString(), file }
  })
  return [...ready, ...saved]
}

/**
 * Lists the names of saved snapshots, sorted in the same way on every machine. Skips files whose names are not valid
 * snapshot names.
 */
function savedNames(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(EXTENSION))
    .map(({ name }) => name.slice(0, -EXTENSION.length))
    .filter((name) => !isPath(name) && isSnapshotName(name))
    .sort()
}

const HEAD_BYTES = 64 * 1024

/** Reads a snapshot's first line. Returns `null` if the file is not a snapshot. */
function readFirstLine(file: string): Readonly<Record<string, unknown>> | null {
  const descriptor = openOwnFile(file, 'read')
  if (descriptor === null) return null
  try {
    const head = Buffer.alloc(Math.min(HEAD_BYTES, fstatSync(descriptor).size))
    readSync(descriptor, head, 0, head.byteLength, 0)
    const first = parseJson(head.toString('utf8').split('\n', 1)[0] ?? '')
    return isJsonObject(first) && Object.hasOwn(first, FORMAT_MEMBER) ? first : null
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
