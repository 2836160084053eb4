import type { Problems } from '../problems.ts'

/**
 * Checks a command for the shell. Adds a problem if it is empty, or if it has several lines on Windows, where cmd.exe
 * would run only the first.
 */
export function checkShellCommand(command: string | undefined, flagName: string, problems: Problems, hint?: string) {
  if (command?.trim() === '') problems.add(`${flagName} must not be empty`, hint)
  else if (process.platform === 'win32' && /[\r\n]/.test(command?.trim() ?? ''))
    problems.add(`${flagName} must be a single line on Windows`, 'put the lines into a batch file, and run that')
}
