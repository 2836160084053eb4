import { win32 } from 'node:path'
import type { Variables } from '../storage/directories.ts'
import { batchLine } from './batch-line.ts'
import { findWindowsProgram, readVariable } from './windows-program.ts'

/** The arguments of `spawn` that run a command. */
export interface Spawnable {
  readonly program: string
  readonly args: readonly string[]
  readonly options: { readonly windowsVerbatimArguments?: boolean }
}

/**
 * Returns the arguments of `spawn` that start a program without a shell. On Windows, Node neither searches PATHEXT nor
 * runs batch files such as `npm.cmd`. This function therefore finds the program itself and uses cmd.exe for a batch
 * file. Throws an error with the code `ENOENT` if the program does not exist, or any error from `batchLine`.
 */
export function spawnable([name = '', ...args]: readonly string[], env: Variables): Spawnable {
  if (process.platform !== 'win32') return { program: name, args, options: {} }
  const program = name === '' ? null : findWindowsProgram(name, env, process.cwd())
  if (program === null) throw Object.assign(new Error('there is no such program'), { code: 'ENOENT' })
  if (/\.(?:exe|com)$/i.test(program)) return { program, args, options: {} }
  return {
    program: systemProgram('cmd.exe'),
    args: ['/d', '/s', '/e:on', '/v:off', '/c', batchLine(program, args)],
    options: { windowsVerbatimArguments: true },
  }
}

/** Returns the path of a program in the System32 directory, so that no other program with the same name is run. */
export function systemProgram(name: string): string {
  return win32.join(readVariable(process.env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name)
}
