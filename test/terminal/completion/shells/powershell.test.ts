import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SCRIPTS } from '../../../../src/terminal/completion/shells/scripts.ts'
import { ROOT } from '../../../support/partner.ts'
import { syntaxErrors } from '../../../support/powershell.ts'

// The test machines have no PowerShell, so these scripts are parsed but not run.

const SCRIPT = SCRIPTS.powershell

test('the PowerShell completion script has no syntax errors', async () => {
  expect(await syntaxErrors(SCRIPT)).toEqual([])
})

test('the parser reports an error if any bracket is removed from the completion script', async () => {
  const brackets = [...SCRIPT.matchAll(/[(){}]/g)].map(({ index }) => index)
  expect(brackets.length).toBeGreaterThan(50)
  for (const at of brackets)
    expect(await syntaxErrors(SCRIPT.slice(0, at) + SCRIPT.slice(at + 1)), `without character ${at}`).not.toEqual([])
})

test.each([
  ['$null -eq $partner', '$null -eq'],
  ["$current = ''", "$current = '"],
  ['foreach ($line in $lines)', 'foreach ($line of $lines)'],
])('the parser reports an error if %s is replaced by %s in the completion script', async (before, after) => {
  expect(SCRIPT).toContain(before)
  expect(await syntaxErrors(SCRIPT.replace(before, () => after))).not.toEqual([])
})

/** Every PowerShell code block in the documentation. */
const BLOCKS = globSync(['docs/*.md', 'README.md'], { cwd: ROOT }).flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```powershell.*\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => [page, block] as const,
  ),
)

test('the script that tests a release on Windows has no syntax errors', async () => {
  expect(await syntaxErrors(readFileSync(join(ROOT, 'packaging', 'try-windows.ps1'), 'utf8'))).toEqual([])
})

describe('PowerShell code blocks in the documentation', () => {
  test('the documentation contains at least one PowerShell code block', () => expect(BLOCKS.length).toBeGreaterThan(0))

  test.each(BLOCKS)('a PowerShell block in %s has no syntax errors: %s', async (_, block) => {
    expect(await syntaxErrors(block)).toEqual([])
  })
})
