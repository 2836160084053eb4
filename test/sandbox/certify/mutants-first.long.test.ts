import { test, vi } from 'vitest'
import { expectOneFailure } from './candidate.ts'
import { MUTANTS } from './mutants.ts'

// They wait for most of their time.
vi.setConfig({ maxConcurrency: 8 })

const HALF = Math.ceil(MUTANTS.length / 2)

test.concurrent.each(MUTANTS.slice(0, HALF))('fails $item: $bug', { timeout: 240_000 }, expectOneFailure)
