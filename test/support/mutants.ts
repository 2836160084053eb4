import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** A mistake to plant in a copy of the code. The tests that run against the copy must detect it. */
export interface Mutant {
  /** Describes what the code no longer does. */
  readonly name: string
  /** The path of the changed file, relative to the top of the checkout. */
  readonly file: string
  /** The text to replace, which occurs exactly once in the file. */
  readonly from: string
  readonly to: string
}

/** Copies the code and its tests to a directory that is removed when the process ends. */
export function copyCode(): string {
  const copy = mkdtempSync(join(tmpdir(), 'partner-mutants-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/**
 * Plants a mutant in a copy of the code. Returns a function that removes the mutant. Throws Error unless the text to
 * replace occurs exactly once.
 */
export function plant(copy: string, { file, from, to, name }: Mutant): () => void {
  const path = join(copy, file)
  const code = readFileSync(path, 'utf8')
  if (code.split(from).length !== 2)
    throw new Error(`${file} does not contain the text that "${name}" replaces exactly once: ${from}`)
  // The replacement is a function, because the text may contain `$`.
  const changed = code.replace(from, () => to)
  writeFileSync(path, changed)
  return () => writeFileSync(path, code)
}
