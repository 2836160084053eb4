import { test, vi } from 'vitest'
import { expectOneFailure } from './candidate.ts'
import { MUTANTS } from './mutants.ts'

// They wait for most of their time.
vi.setConfig({ maxConcurrency: 4 })

/** One bug for each item; with `PARTNER_CERTIFY_MUTANTS=all` every one there is. */
const PLAYED = MUTANTS.filter(
  ({ item }, at) =>
    process.env['PARTNER_CERTIFY_MUTANTS'] === 'all' || MUTANTS.findIndex((one) => one.item === item) === at,
)

test.concurrent.each(PLAYED)('fails $item: $bug', { timeout: 240_000 }, expectOneFailure)
