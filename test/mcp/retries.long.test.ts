import { describe, test } from 'vitest'
import { SEED } from '../money/seeds.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { ERAS } from './running/client.ts'
import { retryCommits } from './running/retries.ts'

const sandbox = await startSharedSandbox()

describe.each(ERAS)('orders that are committed repeatedly (%s protocol)', (era) => {
  test.each([
    ['within --approve-up-to', 'limit'],
    ['approved in a form', 'form'],
    ['approved at a terminal', 'terminal'],
  ] as const)('an order %s is debited exactly once by 300 commits', async (_how, approval) => {
    await retryCommits(sandbox, { era, approval, commits: 300, seed: SEED })
  })

  // Test more seeds with fewer commits, because most failures can occur only before the order completes.
  test.each(Array.from({ length: 20 }, (_, at) => SEED + 1 + at))(
    'an order is debited exactly once by its first 15 commits (seed %d)',
    async (seed) => {
      const approval = (['limit', 'form', 'terminal'] as const)[seed % 3] ?? 'limit'
      await retryCommits(sandbox, { era, approval, commits: 15, seed })
    },
  )
})
