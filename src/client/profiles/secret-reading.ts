import type { Stats } from 'node:fs'
import { posix, win32 } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { ONLY_IN_PATH } from '../../base/programs/only-in-path.ts'
import { homeDirectory, type Variables } from '../../base/storage/directories.ts'
import { readGivenFile } from '../../base/storage/given-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import type { SecretSource } from './profile.ts'
import { checkSecret, decodeSecret, isInHome, MAX_SECRET_BYTES, type SecretName, trimLineEnd } from './secrets.ts'

/**
 * The default time limit for a command or a pipe, in milliseconds. The user may have to touch a security key or type a
 * passphrase.
 */
const LIMIT_MS = 60_000

export interface SecretReading {
  /** Called with a warning if other users can read the file that contains a secret. */
  readonly warn?: (line: string) => void
  /** The time limit for a command or a pipe. Default: {@link LIMIT_MS}. */
  readonly limitMs?: number
  /** The signal that interrupts the wait for a pipe. */
  readonly signal?: AbortSignal
}

/**
 * Reads a secret. Throws NO_PROFILE (exit code 4) if it cannot be read. Errors never contain the output of a command.
 */
export async function readSecret(source: SecretSource, env: Variables, what: SecretName, reading: SecretReading = {}) {
  if ('value' in source) return checkSecret(source.value, what, 'in the profile')
  if ('env' in source) return checkSecret(readVariable(source.env, env, what), what, `in the variable ${source.env}`)
  if ('file' in source) {
    const path = expandHome(source.file, env)
    return checkSecret(await readSecretFile(path, what, reading), what, `in ${path}`)
  }
  const text = await runSecretCommand(source.command, env, what, reading.limitMs ?? LIMIT_MS)
  return checkSecret(text, what, 'that its command printed')
}

export function expandHome(path: string, env: Variables, platform: NodeJS.Platform = process.platform): string {
  const { join } = platform === 'win32' ? win32 : posix
  return isInHome(path, platform) ? join(homeDirectory(env, platform), path.slice(2)) : path
}

/**
 * Returns a warning if the file belongs to the current user but other users can read it, otherwise `null`. On Windows,
 * always returns `null`: the check would start two programs there, so only `doctor` performs it.
 */
export function describeLooseFile(path: string, stats: Stats): string | null {
  if (process.platform === 'win32' || !stats.isFile() || stats.uid !== process.getuid?.()) return null
  if ((stats.mode & 0o077) === 0) return null
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
  return `other users can read ${path} (mode ${mode}); to prevent this: chmod 600 ${path}`
}

function readVariable(name: string, env: Variables, what: SecretName): string {
  const value = env[name]
  if (value === undefined || value === '') {
    const state = value === undefined ? 'not set' : 'empty'
    throw new Failure('NO_PROFILE', `the ${what} should come from the variable ${name}, which is ${state}`, {
      hint: `export ${name}, then run the command again`,
    })
  }
  return trimLineEnd(value)
}

async function readSecretFile(path: string, what: SecretName, reading: SecretReading): Promise<string> {
  const limitMs = reading.limitMs ?? LIMIT_MS
  const limit = AbortSignal.timeout(limitMs)
  const signal = reading.signal ? AbortSignal.any([reading.signal, limit]) : limit
  try {
    const { bytes, stats } = await readGivenFile(path, { maxBytes: MAX_SECRET_BYTES, signal })
    const warning = describeLooseFile(path, stats)
    if (warning !== null) reading.warn?.(warning)
    return decodeSecret(bytes, what, `in ${path}`)
  } catch (error) {
    if (error instanceof Failure || reading.signal?.aborted) throw error
    const reason = limit.aborted
      ? `it is a pipe, and its writer did not finish within ${limitMs / 1000} s`
      : describeSystemError(error)
    throw new Failure('NO_PROFILE', `cannot read the ${what} from ${path}: ${reason}`, {
      hint: 'check the path, and that you have permission to read the file',
    })
  }
}

async function runSecretCommand(command: string, env: Variables, what: SecretName, limitMs: number): Promise<string> {
  const { spawnSync } = await import('node:child_process')
  const { isatty } = await import('node:tty')
  const { error, status, signal, stdout } = spawnSync(command, {
    shell: true,
    env: pickCommandVariables(env),
    // The command must not read partner's stdin, and its stderr may contain part of a secret.
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limitMs,
    // SIGKILL rather than SIGTERM, because the command could ignore SIGTERM.
    killSignal: 'SIGKILL',
    maxBuffer: MAX_SECRET_BYTES,
    // On Windows, a hidden command has its own console, so Ctrl-C does not reach it and it cannot ask for a passphrase.
    // Commands are therefore not hidden at a terminal.
    windowsHide: !isatty(2),
  })
  const problem = commandProblem((error as NodeJS.ErrnoException | undefined)?.code, status, signal, limitMs)
  if (problem !== null)
    throw new Failure('NO_PROFILE', `the command that prints the ${what} ${problem}`, {
      hint: 'run that command yourself to see why; it gets no input, and only its standard output is used',
    })
  return decodeSecret(stdout, what, 'that its command printed').trim()
}

function commandProblem(code: string | undefined, status: number | null, signal: string | null, limitMs: number) {
  if (code === 'ETIMEDOUT') return `took longer than ${limitMs / 1000} s and was stopped`
  if (code === 'ENOBUFS') return `printed more than ${MAX_SECRET_BYTES} bytes`
  if (code !== undefined) return `could not be started (${code})`
  if (signal !== null) return `was killed by ${signal}`
  return status === 0 ? null : `failed with exit code ${status}`
}

/**
 * Returns the environment for a command. Keeps the variables of password managers (VAULT_ADDR, GPG_TTY), but removes
 * partner's own variables, which may contain secrets.
 */
function pickCommandVariables(env: Variables): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('PARTNER_'))
  return { ...Object.fromEntries(kept), ...(process.platform === 'win32' ? ONLY_IN_PATH : {}) }
}
