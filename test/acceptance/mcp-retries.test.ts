import { describe, test } from 'vitest'
import { ERAS } from '../mcp/running/client.ts'
import { retryCommits } from '../mcp/running/retries.ts'
import { SEED } from '../money/seeds.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'

// mcp-retries.long.test.ts does the same with 300 commits of each order.

const sandbox = await startSharedSandbox()

describe.each(ERAS)('an order that an agent commits again and again, %s', (era) => {
  test.each([
    ['within --approve-up-to', 'limit', SEED + 11],
    ['approved in a form', 'form', SEED + 4],
    ['approved at a terminal', 'terminal', SEED + 16],
  ] as const)('%s, it is debited exactly once', async (_how, approval, seed) => {
    await retryCommits(sandbox, { era, approval, commits: 8, seed })
  })
})
