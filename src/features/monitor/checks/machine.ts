import { statfsSync } from 'node:fs'
import { quoteShellWord } from '../../../base/failure/shell-word.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import type { CheckKind } from '../../../monitor/file/monitor-file.ts'
import type { Finding } from '../../../monitor/state/machine.ts'
import { withoutSuspects } from '../../../terminal/render/text/safe-text.ts'
import { openHandlerCommands } from '../../../webhooks/handling/handler-commands.ts'
import { type CheckContext, forVenue, ok, unknown, wrong } from './context.ts'

type DiskCheck = Extract<CheckKind, { readonly kind: 'disk' }>

/** Checks whether a disk has enough free space. */
export function checkDisk({ path: given, freeBelowBytes }: DiskCheck, { venue }: CheckContext): Finding {
  const path = forVenue(given, venue)
  const next = `df -h ${quoteShellWord(path)}`
  try {
    const { bavail, bsize } = statfsSync(path)
    const free = bavail * bsize
    const words = `${sizeText(free)} free on the disk that contains ${path}`
    return free < freeBelowBytes ? wrong(`only ${words}`, next) : ok(words)
  } catch (error) {
    return unknown(`${path}: ${describeSystemError(error)}`, next)
  }
}

/** Formats a size in decimal units, such as `1.5 GB`. */
function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes, 0]
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.floor(size)} ${units[unit]}`
}

type CommandCheck = Extract<CheckKind, { readonly kind: 'command' }>

/** The time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 2000
/** The number of characters of output to keep. The message needs only the last line. */
const KEPT_CHARACTERS = 4096
const LONGEST_LINE = 200

/**
 * Runs a command in the system's shell, without input and without secrets in its environment. The check passes if the
 * exit code is 0. Throws Interrupted.
 */
export async function checkCommand({ command }: CommandCheck, context: CheckContext): Promise<Finding> {
  const { venue, directory: cwd, commandEnv, signal } = context
  let output = ''
  const decoder = new TextDecoder()
  const print = (bytes: Uint8Array) => {
    output = (output + decoder.decode(bytes, { stream: true })).slice(-KEPT_CHARACTERS)
  }
  const env = { ...commandEnv, ...(venue.profile === null ? {} : { PARTNER_PROFILE: venue.profile }) }
  const options = { concurrency: 1, graceMs: GRACE_MS, killOnExit: true, capturesOutput: true }
  const end = await openHandlerCommands(command, { env, cwd, print }, options).run(
    { input: Buffer.alloc(0), env: {}, signal },
    () => true,
  )
  signal.throwIfAborted()
  const last = lastLine(output)
  const said = last === null ? '' : `: ${last}`
  return end?.isDone ? ok(last ?? 'exit code 0') : wrong(`${end?.words ?? 'it was not run'}${said}`, command)
}

function lastLine(output: string): string | null {
  const line = output.trimEnd().split('\n').at(-1)?.trim() ?? ''
  if (line === '') return null
  const clean = withoutSuspects(line)
  return clean.length <= LONGEST_LINE ? clean : `${clean.slice(0, LONGEST_LINE)}…`
}
