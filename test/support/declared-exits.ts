import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A command, as described by `partner commands --json`. */
export interface DeclaredCommand {
  readonly id: string
  readonly writes: 'none' | 'booking' | 'money'
  readonly exitCodes: readonly number[]
  readonly output: 'json' | 'lines' | 'text' | 'nothing'
  readonly outputSchema: Readonly<Record<string, unknown>>
}

/** The command that runs another program and exits with that program's exit code. */
const ENDS_AS_ITS_CHILD = 'sandbox exec'

let cachedCommands: ReadonlyMap<string, DeclaredCommand> | null = null

/** Reads all commands, with their declared exit codes, from a file that the build writes. */
export function declaredCommands(root: string): ReadonlyMap<string, DeclaredCommand> {
  if (cachedCommands !== null) return cachedCommands
  const path = join(root, 'dist', 'commands.json')
  const all = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DeclaredCommand[]) : []
  cachedCommands = new Map(all.map((command) => [command.id, command]))
  return cachedCommands
}

/**
 * Fails if a command exited with a code that it does not declare. Called for every run in every test. Ignores command
 * lines that begin with a flag, and runs that were killed by a signal.
 */
export function checkExitCode(root: string, args: readonly string[], code: number | null, stderr: string): void {
  if (code === null) return
  const commands = declaredCommands(root)
  const id = [3, 2, 1].map((count) => args.slice(0, count).join(' ')).find((words) => commands.has(words))
  const command = id === undefined || id === ENDS_AS_ITS_CHILD ? undefined : commands.get(id)
  if (command === undefined || command.exitCodes.includes(code)) return
  throw new Error(
    `partner commands does not list exit code ${code} for ${id}: ${args.join(' ').slice(0, 300)}\n${stderr}`,
  )
}
