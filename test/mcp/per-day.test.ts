import { test } from 'vitest'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { prepareAnew } from './running/many-prepares.ts'

// per-day.long.test.ts runs the same test with 50 servers.

const sandbox = await startSharedSandbox()

test('eight servers that keep preparing payments never exceed --per-day in total', () =>
  prepareAnew(sandbox, { processes: 8, orders: 2, amount: 307, perDay: 2500 }))
