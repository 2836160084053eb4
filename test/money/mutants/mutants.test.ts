import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../support/partner.ts'
import { MUTANTS } from './mutants.ts'

test.each(MUTANTS)('the original text of the mutant "$name" occurs exactly once in the code', ({ file, from, to }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2)
  expect(from).not.toBe(to)
})
