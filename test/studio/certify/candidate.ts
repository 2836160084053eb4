import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { buildVariables } from '../../../src/features/sandbox/serving.ts'
import type { SandboxFacts } from '../../../src/sandbox/facts.ts'
import type { Item } from '../../../src/studio/certify/certify.ts'
import { Certification, type TriedItem } from '../../../src/studio/certify/certify.ts'
import { CHECKLIST } from '../../../src/studio/certify/items/checklist.ts'
import { ROOT } from '../../support/partner.ts'
import type { Mutant } from './mutants.ts'

export const REFERENCE = join(ROOT, 'docs', 'integration', 'integration.mjs')

export function runs(path: string): string {
  return `'${process.execPath}' '${path}'`
}

export function program(text: string): string {
  return `'${process.execPath}' --input-type=module -e '${text.replaceAll("'", "'\\''")}'`
}

export function certificationOf(
  run: string,
  { stepMs = 60_000, signal = new AbortController().signal } = {},
): Certification {
  const variables = (facts: SandboxFacts) => ({ ...process.env, ...buildVariables(facts) })
  return new Certification({ run, stepMs, readyMs: 30_000, signal, variables })
}

export async function tryAll(run: string, items: readonly Item[]): Promise<readonly TriedItem[]> {
  const certification = certificationOf(run)
  const tried: TriedItem[] = []
  for (const item of items) tried.push(await certification.try(item))
  return tried
}

export function failuresOf(tried: readonly TriedItem[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    tried.filter(({ item }) => item.status === 'failed').map(({ item, findings }) => [item.id, findings]),
  )
}

/**
 * Plants one bug in the reference integration and runs the whole checklist against it. Expects only the item for this
 * bug to fail.
 */
export async function expectOneFailure({ item, from, to }: Mutant): Promise<void> {
  const text = readFileSync(REFERENCE, 'utf8')
  expect(text.split(from).length - 1, `occurrences in the reference of: ${from}`).toBe(1)
  const failures = failuresOf(await tryAll(program(text.replace(from, () => to)), CHECKLIST))
  expect(Object.keys(failures), JSON.stringify(failures, null, 2)).toEqual([item])
}
