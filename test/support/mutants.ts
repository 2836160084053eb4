import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** A mistake that is planted in a copy of the code: the tests that are played against it have to notice. */
export interface Mutant {
  /** What the code no longer does, in words. */
  readonly name: string
  /** From the top of the checkout. */
  readonly file: string
  /** Stands in the file once. */
  readonly from: string
  readonly to: string
}

/** Copies the code and its tests to a directory that is gone when the process ends. */
export function copyOfCode(): string {
  const copy = mkdtempSync(join(tmpdir(), 'partner-mutants-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Changes a copy of the code; gives what changes it back. Fails: Error when what is to be changed is not there, or more than once. */
export function plant(copy: string, { file, from, to, name }: Mutant): () => void {
  const path = join(copy, file)
  const code = readFileSync(path, 'utf8')
  if (code.split(from).length !== 2)
    throw new Error(`${file} does not hold what "${name}" changes, or more than once: ${from}`)
  // A function, as the text may contain $.
  const changed = code.replace(from, () => to)
  writeFileSync(path, changed)
  return () => writeFileSync(path, code)
}
