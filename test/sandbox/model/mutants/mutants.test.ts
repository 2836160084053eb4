import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../../support/partner.ts'
import { MUTANTS } from './mutants.ts'

test.each(MUTANTS)('the code that the mutant "$name" replaces occurs exactly once', ({ file, from, to }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2)
  expect(from).not.toBe(to)
})
