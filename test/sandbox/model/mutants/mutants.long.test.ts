import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { copyCode, plant } from '../../../support/mutants.ts'
import { MUTANTS } from './mutants.ts'

/** The maximum number of random tests that the model may need to detect a mutant. */
const HISTORIES = 500

let copy: string

beforeAll(() => {
  copy = copyCode()
})

test('the model agrees with the unmodified sandbox', async () => expect(await play()).toBe(''))

test.each(MUTANTS)(`the model detects the mutant within ${HISTORIES} random runs: $name`, async (mutant) => {
  const restore = plant(copy, mutant)
  try {
    // A mutant that cannot even be loaded proves nothing about the model.
    expect(await play()).toContain('to run only this history')
  } finally {
    restore()
  }
})

async function play(): Promise<string> {
  const script = join(copy, 'test', 'sandbox', 'model', 'mutants', 'play.ts')
  const run = promisify(execFile)(process.execPath, [script, String(HISTORIES)], {
    cwd: copy,
    maxBuffer: 64 * 1024 * 1024,
  })
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
  )
}
