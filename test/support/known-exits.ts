import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A command as `partner commands --json` tells it. */
export interface Told {
  readonly id: string
  readonly writes: 'none' | 'booking' | 'money'
  readonly exitCodes: readonly number[]
  readonly output: 'json' | 'lines' | 'text' | 'nothing'
  readonly outputSchema: Readonly<Record<string, unknown>>
}

/** What it runs ends with a code of its own. */
const ENDS_AS_ITS_CHILD = 'sandbox exec'

let told: ReadonlyMap<string, Told> | null = null

/** All commands with the exit codes that they are said to have, as the build has put them down. */
export function toldCommands(root: string): ReadonlyMap<string, Told> {
  if (told !== null) return told
  const path = join(root, 'dist', 'commands.json')
  const all = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Told[]) : []
  told = new Map(all.map((command) => [command.id, command]))
  return told
}

/**
 * Fails when a command ended with an exit code that it is not said to have: every run of every test is held against what
 * programs are told. A line that begins with a flag is not looked at, and neither is the end of one that a signal killed.
 */
export function refuseUntoldExit(root: string, args: readonly string[], code: number | null, stderr: string): void {
  if (code === null) return
  const commands = toldCommands(root)
  const id = [3, 2, 1].map((count) => args.slice(0, count).join(' ')).find((words) => commands.has(words))
  const command = id === undefined || id === ENDS_AS_ITS_CHILD ? undefined : commands.get(id)
  if (command === undefined || command.exitCodes.includes(code)) return
  throw new Error(
    `partner commands does not say that ${id} can end with ${code}: ${args.join(' ').slice(0, 300)}\n${stderr}`,
  )
}
