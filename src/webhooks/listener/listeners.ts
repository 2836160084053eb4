import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../base/json/exact.ts'
import { parseJson } from '../../base/json/parse.ts'
import { dataDirectory, makePrivateDirectory } from '../../base/storage/directories.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import { readLockHolder } from '../../base/storage/lock.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { comparablePath } from '../../base/windows-names.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The file where a listener records its address, for other commands and for the next listener. */
export interface ListenerNote {
  readonly journal: string
  readonly port: number
  /** The listener's URL, as seen from this machine. */
  readonly url: string
  readonly pid: number
  /** The value of `--keep` in milliseconds, or `null` if the listener does not drop old deliveries. */
  readonly keepMs: number | null
}

/** Returns the path of the default journal. */
export function defaultJournal(env: Variables): string {
  return join(dataDirectory(env), 'deliveries.ndjson')
}

/** Saves a note, which remains after the listener exits. Throws file system errors. */
export function saveListenerNote(env: Variables, note: ListenerNote): void {
  makePrivateDirectory(notesDirectory(env))
  writeFileDurably(notePath(env, note.journal), `${JSON.stringify(note)}\n`)
}

/** Returns the note from a journal's last listener, or `null` if it is missing or unreadable. */
export function readListenerNote(env: Variables, journal: string): ListenerNote | null {
  return readNote(notePath(env, journal))
}

/** Returns the notes of all listeners, whether or not they are still running. Never throws. */
export function pastListeners(env: Variables): ListenerNote[] {
  return notePaths(env).flatMap((path) => readNote(path) ?? [])
}

/** Returns the notes of all running listeners, sorted by port. Never throws. */
export function runningListeners(env: Variables): ListenerNote[] {
  // A listener is running if it holds its journal's lock.
  const running = pastListeners(env).filter(({ journal, pid }) => readLockHolder(`${journal}.lock`)?.pid === pid)
  return running.sort((a, b) => a.port - b.port)
}

function notesDirectory(env: Variables): string {
  return join(dataDirectory(env), 'listeners')
}

/** Returns the path of a journal's note. A journal has one listener at a time, so only one process writes each note. */
function notePath(env: Variables, journal: string): string {
  const name = createHash('sha256').update(comparablePath(journal)).digest('hex').slice(0, 16)
  return join(notesDirectory(env), `${name}.json`)
}

function notePaths(env: Variables): string[] {
  try {
    const directory = notesDirectory(env)
    return readdirSync(directory).flatMap((name) => (name.endsWith('.json') ? [join(directory, name)] : []))
  } catch {
    return []
  }
}

function readNote(path: string): ListenerNote | null {
  try {
    const value: unknown = parseJson(readOwnText(path) ?? 'null')
    if (!isJsonObject(value)) return null
    const { journal, port, url, pid, keepMs } = value
    const isNote = typeof journal === 'string' && typeof url === 'string' && URL.canParse(url)
    const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536
    if (!isNote || !isPort || !Number.isSafeInteger(pid)) return null
    return { journal, port: Number(port), url, pid: Number(pid), keepMs: typeof keepMs === 'number' ? keepMs : null }
  } catch {
    return null
  }
}
