import { expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import type { Copy } from '../../../src/sync/copy.ts'
import { runRepeatedly } from '../../../src/sync/running/repeat.ts'

/**
 * How long `--every 4ms` waits after each of so many runs, which all fail; `gets` is how far each brings the cursor.
 */
async function waitsAfter(runs: number, gets: number): Promise<number[]> {
  const waits: number[] = []
  const stop = new AbortController()
  let cursorMs = 0
  const copy = {
    get cursorMs() {
      return cursorMs
    },
    close: async () => undefined,
  } as Copy
  await runRepeatedly({
    everyMs: 4,
    standby: false,
    hold: async () => copy,
    run: async () => {
      cursorMs += gets
      throw new Failure('NETWORK_ERROR', 'the line dropped')
    },
    report: async (_, waitMs) => {
      waits.push(waitMs)
      if (waits.length === runs) stop.abort(new Error('enough'))
    },
    now: Date.now,
    signal: stop.signal,
  }).catch(() => undefined)
  return waits
}

test('failures in a row wait longer and longer', async () => {
  expect(await waitsAfter(4, 0)).toEqual([4, 8, 16, 32])
})

test('a run that got on before it failed is none of them: what is left is asked for soon', async () => {
  expect(await waitsAfter(4, 1000)).toEqual([4, 4, 4, 4])
})
