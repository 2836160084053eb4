import { describe, test } from 'vitest'
import { SEED } from '../money/seeds.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { ERAS } from './running/client.ts'
import { retryCommits } from './running/retries.ts'

const sandbox = await startSharedSandbox()

describe.each(ERAS)('300 commits of each order, %s', (era) => {
  test.each([
    ['within --approve-up-to', 'limit'],
    ['approved in a form', 'form'],
    ['approved at a terminal', 'terminal'],
  ] as const)('%s, the order is debited exactly once', async (_how, approval) => {
    await retryCommits(sandbox, { era, approval, commits: 300, seed: SEED })
  })

  // After an order is done, little can go wrong. Most of what can happens in its first commits.
  test.each(Array.from({ length: 20 }, (_, at) => SEED + 1 + at))(
    'the first commits of an order with the seed %d debit exactly once',
    async (seed) => {
      const approval = (['limit', 'form', 'terminal'] as const)[seed % 3] ?? 'limit'
      await retryCommits(sandbox, { era, approval, commits: 15, seed })
    },
  )
})
