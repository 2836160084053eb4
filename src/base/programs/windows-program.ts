import { existsSync, statSync } from 'node:fs'
import { win32 } from 'node:path'
import type { Variables } from '../storage/directories.ts'

/** The extensions that always identify a program, even if `PATHEXT` does not list them. */
const PROGRAMS = ['.COM', '.EXE', '.BAT', '.CMD']

/**
 * Finds a program through `PATH` and `PATHEXT`, as cmd.exe does, so that `npm` finds `npm.cmd`. Returns its path, or
 * `null` if there is none. Unlike cmd.exe and Node, never looks for a bare name in the current directory, where another
 * user might have placed a program.
 */
export function findWindowsProgram(
  name: string,
  env: Variables,
  cwd: string,
  isFile: (path: string) => boolean = isProgram,
): string | null {
  const listed = (readVariable(env, 'PATHEXT') ?? PROGRAMS.join(';')).split(';').filter((extension) => extension !== '')
  const known = [...listed, ...PROGRAMS].map((extension) => extension.toUpperCase())
  const endings = [...(known.includes(win32.extname(name).toUpperCase()) ? [''] : []), ...listed]
  for (const directory of /[\\/:]/.test(name) ? [''] : directoriesOf(env))
    for (const ending of endings) {
      const path = win32.resolve(cwd, directory, `${name}${ending.toLowerCase()}`)
      if (isFile(path)) return path
    }
  return null
}

/**
 * Returns the value of an environment variable. Ignores the case of its name, as Windows does. `name` is in upper case.
 */
export function readVariable(env: Variables, name: string): string | undefined {
  const key = Object.keys(env)
    .sort()
    .find((one) => one.toUpperCase() === name)
  return key === undefined ? undefined : env[key]
}

function directoriesOf(env: Variables): readonly string[] {
  const directories = (readVariable(env, 'PATH') ?? '').split(';').map((directory) => directory.replaceAll('"', ''))
  return directories.filter((directory) => directory.trim() !== '')
}

function isProgram(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // `statSync` fails for the aliases of Microsoft Store apps, although they can be run.
    return existsSync(path)
  }
}
