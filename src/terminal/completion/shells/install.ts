import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../../base/attempt.ts'
import { Failure } from '../../../base/failure/failure.ts'
import { writeFileDurably } from '../../../base/storage/durable-write.ts'
import { refuseUnlessPlainFile } from '../../../base/storage/own-file.ts'
import { removeFile } from '../../../base/storage/rename-remove.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import type { InstallLocation } from './places.ts'
import { SCRIPTS, type Shell } from './scripts.ts'

export interface Done {
  readonly shell: Shell
  readonly file: string
  readonly changedFile: boolean
  /** The file that the shell runs at startup, or `null` if the installer did not read it. */
  readonly startupFile: string | null
  readonly changedStartup: boolean
  readonly lines: readonly string[]
}

const BEGIN = '# >>> partner completion >>>'
const END = '# <<< partner completion <<<'

/**
 * Installs a shell's completion script. Leaves the rest of the startup file unchanged. Throws USAGE or INTERNAL if a
 * file cannot be changed.
 */
export function install(shell: Shell, place: InstallLocation): Done {
  const { file, startupFile } = place
  refuseForeignFile(file, read(file))
  const changedFile = writeIfChanged(file, SCRIPTS[shell])
  const isAsked = startupFile !== null && place.lines.length > 0
  const lines = isAsked ? [`${BEGIN} to undo: partner completion ${shell} --uninstall`, ...place.lines, END] : []
  const changedStartup = isAsked && replaceBlock(startupFile, lines)
  return { shell, file, changedFile, startupFile: isAsked ? startupFile : null, changedStartup, lines }
}

/** Removes a shell's completion script. Throws USAGE or INTERNAL if a file cannot be changed. */
export function uninstall(shell: Shell, { file, startupFile }: InstallLocation): Done {
  const kept = read(file)
  refuseForeignFile(file, kept)
  if (kept !== null) withPathError(file, () => removeFile(file))
  const changedStartup = startupFile !== null && replaceBlock(startupFile, [])
  return { shell, file, changedFile: kept !== null, startupFile, changedStartup, lines: [] }
}

function refuseForeignFile(file: string, kept: string | null): void {
  if (kept !== null && kept !== '' && !kept.includes('Completion of partner for'))
    throw new Failure('USAGE', `${file} was not written by partner, so it was not changed`, {
      hint: 'if you do not need the file, remove it yourself',
    })
}

/** Replaces the lines that partner added to a file. Preserves all other bytes. Returns whether the file changed. */
function replaceBlock(path: string, lines: readonly string[]): boolean {
  const before = read(path) ?? ''
  const block = lines.length === 0 ? '' : `${Buffer.from(lines.join('\n')).toString('latin1')}\n`
  const from = before.indexOf(BEGIN)
  const end = from < 0 ? -1 : before.indexOf(END, from)
  if (from >= 0 && end < 0)
    throw new Failure('USAGE', `${path} has the line "${BEGIN}" but not the line "${END}"; the file was not changed`, {
      hint: 'remove the completion lines from the file and run the command again',
    })
  if (from < 0 && block === '') return false
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  const after =
    from < 0
      ? `${before}${gap}${block}`
      : `${before.slice(0, from)}${block}${before.slice(end + END.length).replace(/^\r?\n/, '')}`
  return after === before ? false : write(path, Buffer.from(after, 'latin1'))
}

function writeIfChanged(path: string, text: string): boolean {
  const bytes = Buffer.from(text)
  return read(path) === bytes.toString('latin1') ? false : write(path, bytes)
}

function read(path: string): string | null {
  return withPathError(path, () => {
    const real = realPath(path)
    refuseUnlessPlainFile(real)
    return statSync(real, { throwIfNoEntry: false }) ? readFileSync(real, 'latin1') : null
  })
}

function write(path: string, bytes: Uint8Array): true {
  withPathError(path, () => {
    const real = realPath(path)
    mkdirSync(dirname(real), { recursive: true })
    const mode = statSync(real, { throwIfNoEntry: false })?.mode ?? 0o644
    writeFileDurably(real, bytes, mode & 0o7777)
  })
  return true
}

/** Follows symbolic links, because a startup file is often a link to a file elsewhere. */
function realPath(path: string): string {
  return attempt(() => realpathSync(path), path)
}

function withPathError<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('USAGE', `cannot use ${path}: ${describeSystemError(error)}`, {
      hint: 'print the script and save it yourself (see partner completion --help)',
      cause: error,
    })
  }
}
