import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { dataDirectory, ensurePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { removeAbandonedWrites, writeFileDurably } from '../../base/storage/durable-write.ts'
import { withLock } from '../../base/storage/lock.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { fileNameFor } from '../../base/windows-names.ts'
import { addShapes, type Shapes } from '../../contract/answers/shape.ts'

/** The response formats that were seen between `since` and `until`, which are ISO 8601 instants. */
export interface Recorded {
  readonly since: string
  readonly until: string
  readonly shapes: Shapes
}

/** The recorded response formats of one service. Never contains values from responses. */
export interface ShapeFile {
  readonly version: 1
  readonly service: string
  /** The formats that `--record` has collected, or `null`. */
  readonly recorded: Recorded | null
  /** The formats that the last run of `drift` examined, or `null`. */
  readonly lastRun: Recorded | null
}

/** Identifies the service whose response formats are recorded. */
export interface ShapeOwner {
  /** The profile's name. `null` if no profile is used. */
  readonly profile: string | null
  readonly service: string
}

/**
 * How long to wait for the lock, in milliseconds. This is enough for many concurrent runs to add their formats one
 * after another.
 */
const LOCK_WAIT_MS = 5000

export function shapePath(env: Variables, { profile, service }: ShapeOwner): string {
  const unnamed = `@${createHash('sha256').update(service).digest('hex').slice(0, 16)}`
  return join(shapeDirectory(env), `${profile === null ? unnamed : fileNameFor(profile)}.json`)
}

function shapeDirectory(env: Variables): string {
  return join(dataDirectory(env), 'shapes')
}

/**
 * Reads the response formats of a service. Ignores formats that were recorded for a different service under the same
 * profile. Throws INTERNAL if the file is unreadable or invalid.
 */
export function readShapeFile(env: Variables, whose: ShapeOwner): ShapeFile {
  const path = shapePath(env, whose)
  const nothing: ShapeFile = { version: 1, service: whose.service, recorded: null, lastRun: null }
  const text = readText(path)
  if (text === null) return nothing
  const file: Partial<ShapeFile> | null = parseJsonOrNull(text)
  if (file?.version !== 1)
    throw new Failure('INTERNAL', `${path} cannot be read: it is not a file that --record or drift wrote`, {
      hint: 'remove the file, so that drift can start over; it contains only response formats, not data',
    })
  return file.service === whose.service ? { ...nothing, ...file } : nothing
}

function readText(path: string): string | null {
  try {
    return readOwnText(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INTERNAL', `${path} cannot be read: ${describeSystemError(error)}`, {
      hint: 'make the file readable, or remove it',
      cause: error,
    })
  }
}

/**
 * Changes the recorded response formats of a service. Throws LOCKED if another process is changing them, or INTERNAL if
 * the file cannot be read or written.
 */
export async function changeShapeFile(env: Variables, whose: ShapeOwner, edit: (file: ShapeFile) => ShapeFile) {
  ensurePrivateDirectory(dataDirectory(env))
  ensurePrivateDirectory(shapeDirectory(env))
  const path = shapePath(env, whose)
  const rewrite = () => {
    removeAbandonedWrites(path)
    writeFileDurably(path, `${JSON.stringify(edit(readShapeFile(env, whose)))}\n`)
  }
  await withLock(`${path}.lock`, rewrite, { what: path, waitMs: LOCK_WAIT_MS })
}

/** Adds response formats to those that are already recorded. Throws the same errors as {@link changeShapeFile}. */
export function record(env: Variables, whose: ShapeOwner, shapes: Shapes, now: number): Promise<void> {
  return changeShapeFile(env, whose, (file) => {
    const all: Shapes = {}
    addShapes(all, file.recorded?.shapes ?? {})
    addShapes(all, shapes)
    const at = new Date(now).toISOString()
    return { ...file, recorded: { since: file.recorded?.since ?? at, until: at, shapes: all } }
  })
}
