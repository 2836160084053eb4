import { test } from 'vitest'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { prepareAnew } from './running/many-prepares.ts'

const sandbox = await startSharedSandbox()

test.each([
  ['the cap, which is a multiple of the amount', 1, 100, 2000],
  ['the largest sum below the cap', 2, 307, 20_000],
])('50 servers that keep preparing payments spend exactly %s', (_what, orders, amount, perDay) =>
  prepareAnew(sandbox, { processes: 50, orders, amount, perDay }),
)
