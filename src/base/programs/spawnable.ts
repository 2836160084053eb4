import { win32 } from 'node:path'
import type { Variables } from '../storage/directories.ts'
import { batchLine } from './batch-line.ts'
import { findWindowsProgram, readVariable } from './windows-program.ts'

/** What to pass to `spawn` to run a command. */
export interface Spawnable {
  readonly program: string
  readonly args: readonly string[]
  readonly options: { readonly windowsVerbatimArguments?: boolean }
}

/**
 * Returns how to start a program with arguments, without a shell. On Windows, finds the program, and runs a batch file
 * such as `npm.cmd` through cmd.exe, because Node does neither. Throws an error, with the code `ENOENT` if there is no
 * such program.
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

/** Returns the path of a program that belongs to Windows. A program with this name elsewhere is never run. */
export function systemProgram(name: string): string {
  return win32.join(readVariable(process.env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name)
}
