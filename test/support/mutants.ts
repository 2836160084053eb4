import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** A deliberate mistake in a copy of the code, which the tests of that copy must detect. */
export interface Mutant {
  /** The behaviour that the change breaks. */
  readonly name: string
  /** The path of the file to change, relative to the root of the checkout. */
  readonly file: string
  /** The text to replace, which occurs exactly once in the file. */
  readonly from: string
  readonly to: string
}

/** Copies the code and its tests to a directory that is deleted when this process exits. */
export function copyCode(): string {
  const copy = mkdtempSync(join(tmpdir(), 'partner-mutants-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/**
 * Changes a copy of the code. Returns a function that reverts the change. Throws Error unless the text to replace
 * occurs exactly once.
 */
export function plant(copy: string, { file, from, to, name }: Mutant): () => void {
  const path = join(copy, file)
  const code = readFileSync(path, 'utf8')
  if (code.split(from).length !== 2)
    throw new Error(`${file} does not contain the text that "${name}" replaces exactly once: ${from}`)
  // `$` has a special meaning in a replacement string, but not in a function's result.
  const changed = code.replace(from, () => to)
  writeFileSync(path, changed)
  return () => writeFileSync(path, code)
}
