import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { openHandlerCommands } from '../../webhooks/handling/handler-commands.ts'
import type { AlertEntry } from '../file/monitor-file.ts'
import type { Destination } from './destination.ts'
import { Webhook, type WebhookParts } from './webhook.ts'

/** The time limit, in milliseconds, for a command that receives an alert. */
const EXEC_LIMIT_MS = 30_000
const GRACE_MS = 5000
const LONGEST_NAME = 60

export interface DestinationParts extends WebhookParts {
  /** The working directory of commands. */
  readonly directory: string
  /** The environment of commands, without secrets. */
  readonly commandEnv: NodeJS.ProcessEnv
  /** Writes the output of commands to stderr. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Writes an alert to stderr. Returns `null`, or the problem if it may not have been written. Never throws. */
  readonly deliverToStderr: (line: string) => Promise<string | null>
}

/** Opens the destinations for alerts. Throws NO_PROFILE if a secret cannot be read, or USAGE for an unusable URL. */
export async function openDestinations(
  entries: readonly AlertEntry[],
  parts: DestinationParts,
): Promise<readonly Destination[]> {
  const opened: Destination[] = []
  for (const entry of entries) opened.push(await openDestination(entry, parts))
  return opened
}

async function openDestination(entry: AlertEntry, parts: DestinationParts): Promise<Destination> {
  const { kind } = entry
  const key = createHash('sha256')
    .update(JSON.stringify(identityOf(entry)))
    .digest('hex')
    .slice(0, 16)
  const known = { key, kind }
  if (kind === 'exec') {
    const name = `exec ${shortened(entry.command)}`
    return { ...known, name, deliver: ({ line }) => runCommand(entry.command, line, parts) }
  }
  if (kind === 'file')
    return { ...known, name: `file ${entry.path}`, deliver: async ({ line }) => writeLine(entry.path, line) }
  if (kind === 'stderr') return { ...known, name: 'stderr', deliver: ({ line }) => parts.deliverToStderr(line) }
  const webhook = new Webhook(entry, parts)
  const name = `webhook ${await webhook.prepare()}`
  return { ...known, name, deliver: ({ id, line }) => webhook.post(id, line) }
}

/** Returns the values that identify a destination. Headers are not included, so that they can be changed. */
function identityOf(entry: AlertEntry): readonly unknown[] {
  if (entry.kind === 'exec') return ['exec', entry.command]
  if (entry.kind === 'file') return ['file', entry.path]
  return entry.kind === 'stderr' ? ['stderr'] : ['webhook', entry.url]
}

function shortened(command: string): string {
  const line = command.replace(/\s+/g, ' ')
  return line.length <= LONGEST_NAME ? line : `${line.slice(0, LONGEST_NAME)}…`
}

/** Runs a command with the alert as its input. Returns `null` if its exit code is 0, otherwise the problem. */
async function runCommand(command: string, line: string, parts: DestinationParts): Promise<string | null> {
  const { directory: cwd, commandEnv: env, write } = parts
  const print = (bytes: Uint8Array) => void write(bytes).catch(() => undefined)
  const options = { concurrency: 1, graceMs: GRACE_MS, killOnExit: false }
  const commands = openHandlerCommands(command, { env, cwd, print }, options)
  const signal = AbortSignal.timeout(EXEC_LIMIT_MS)
  const end = await commands.run({ input: Buffer.from(line), env: {}, signal }, () => true)
  if (end === null || end.isDone) return null
  return signal.aborted ? `it did not exit within ${EXEC_LIMIT_MS / 1000} s` : end.words
}

/** Appends a line to a file or writes it to a pipe or device. Returns `null`, or the problem. */
function writeLine(path: string, line: string): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() ?? true) appendLine(path, line)
    else writeToPipe(path, line)
    return null
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENXIO') return 'it is a socket, or a pipe that no program reads (ENXIO)'
    return describeSystemError(error)
  }
}

/** Writes a line to a pipe or device, neither of which can be synced to disk or truncated. Throws system errors. */
function writeToPipe(path: string, line: string): void {
  // Without O_NONBLOCK, opening a pipe that has no reader would block the monitor. O_RDWR would not block, but it would
  // make this process the reader.
  const descriptor = openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const bytes = Buffer.from(line)
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Appends a line and syncs the file to disk. If the file's last line is incomplete, first adds a newline. Throws system
 * errors.
 */
function appendLine(path: string, line: string): void {
  const descriptor = openSync(path, 'a+', 0o600)
  try {
    const { size } = fstatSync(descriptor)
    const last = Buffer.alloc(1)
    const isCut = size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
    const bytes = Buffer.from(isCut ? `\n${line}` : line)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
      fsyncSync(descriptor)
    } catch (error) {
      ftruncateSync(descriptor, size)
      throw error
    }
  } finally {
    closeSync(descriptor)
  }
}
