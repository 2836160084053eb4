import { expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import type { Copy } from '../../../src/sync/copy.ts'
import { runRepeatedly } from '../../../src/sync/running/repeat.ts'

/**
 * Returns the delays between the runs of `--every 4ms` if every run fails. Each run first advances the cursor by `gets`
 * milliseconds.
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
    wakes: null,
    hold: async () => copy,
    run: async () => {
      cursorMs += gets
      throw new Failure('NETWORK_ERROR', 'the connection dropped')
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

test('the wait between runs doubles after each consecutive failure', async () => {
  expect(await waitsAfter(4, 0)).toEqual([4, 8, 16, 32])
})

test('the wait between runs does not grow if each failed run advanced the cursor', async () => {
  expect(await waitsAfter(4, 1000)).toEqual([4, 4, 4, 4])
})
