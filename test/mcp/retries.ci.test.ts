import { test } from 'vitest'
import { SEED } from '../money/seeds.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { retryCommits } from './running/retries.ts'

// retries.long.test.ts runs the same test with 300 commits per order.

const sandbox = await startSharedSandbox()

test.each([
  ['within --approve-up-to', 'limit', 'legacy', SEED + 11],
  ['within --approve-up-to', 'limit', 'modern', SEED + 11],
  ['approved in a form', 'form', 'modern', SEED + 4],
  ['approved at a terminal', 'terminal', 'legacy', SEED + 16],
] as const)(
  'an order %s is debited once even if it is committed repeatedly (%s, %s)',
  async (_how, approval, era, seed) => {
    await retryCommits(sandbox, { era, approval, commits: 8, seed })
  },
)
