import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKLIST } from '../../../src/studio/certify/items/checklist.ts'
import { failuresOf, REFERENCE, runs, tryAll } from './candidate.ts'

test.concurrent.each([
  ['the reference in docs/integration', REFERENCE],
  ['one that asks for a window of starts, and adds to its copy', join(import.meta.dirname, 'by-window.mjs')],
  ['one that goes by the latest change it has seen', join(import.meta.dirname, 'by-marks.mjs')],
])('%s passes every item', { timeout: 240_000 }, async (_, path) => {
  expect(failuresOf(await tryAll(runs(path), CHECKLIST))).toEqual({})
})
