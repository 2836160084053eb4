import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKLIST } from '../../../src/studio/certify/items/checklist.ts'
import { failuresOf, REFERENCE, runs, tryAll } from './candidate.ts'

test.concurrent.each([
  ['the reference integration in docs/integration', REFERENCE],
  ['an integration that polls by start time and appends to its copy', join(import.meta.dirname, 'by-window.mjs')],
  ['an integration that polls from the latest change it has seen', join(import.meta.dirname, 'by-marks.mjs')],
])('%s passes every item', { timeout: 240_000 }, async (_, path) => {
  expect(failuresOf(await tryAll(runs(path), CHECKLIST))).toEqual({})
})
