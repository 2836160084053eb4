import { dirname } from 'node:path'

/** Quotes a word for the user's shell, but only if it needs quotes. */
export function quoteShellWord(word: string): string {
  return process.platform === 'win32' ? quoteWindowsWord(word) : quotePosixWord(word)
}

/**
 * Quotes a word for PowerShell, but only if it needs quotes. The result has the same meaning in cmd, unless the word
 * contains `"`, `$`, a backtick or `%`.
 */
export function quoteWindowsWord(word: string): string {
  if (/^[\w+=:./\\-]+$/.test(word)) return word
  if (/["$`%]/.test(word)) return `'${word.replaceAll("'", "''")}'`
  // Doubles trailing backslashes, so that they do not escape the closing quote.
  return `"${word.replace(/\\+$/, '$&$&')}"`
}

/** Quotes a word for a POSIX shell, even on Windows, but only if it needs quotes. */
export function quotePosixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Returns a command for the user's shell that creates a file's directory and its parents. */
export function makeDirectoryCommand(file: string): string {
  return `mkdir ${process.platform === 'win32' ? '' : '-p '}${quoteShellWord(dirname(file))}`
}

/** Returns a command for the user's shell that removes a file. */
export function removeFileCommand(file: string): string {
  return `${process.platform === 'win32' ? 'del' : 'rm'} ${quoteShellWord(file)}`
}
