import { test, vi } from 'vitest'
import { expectOneFailure } from './candidate.ts'
import { MUTANTS } from './mutants.ts'

// Run several tests at once, because they spend most of their time waiting.
vi.setConfig({ maxConcurrency: 4 })

/** The first bug for each checklist item, or all bugs if `PARTNER_CERTIFY_MUTANTS=all`. */
const PLAYED = MUTANTS.filter(
  ({ item }, at) =>
    process.env['PARTNER_CERTIFY_MUTANTS'] === 'all' || MUTANTS.findIndex((one) => one.item === item) === at,
)

test.concurrent.each(PLAYED)('$item fails an integration that $bug', { timeout: 240_000 }, expectOneFailure)
