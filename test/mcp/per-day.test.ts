import { test } from 'vitest'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { prepareAnew } from './running/many-prepares.ts'

// per-day.long.test.ts does the same with 50 servers.

const sandbox = await startSharedSandbox()

test('eight servers that prepare a payment anew each time move no cent above --per-day', () =>
  prepareAnew(sandbox, { processes: 8, orders: 2, amount: 307, perDay: 2500 }))
