import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { copyOfCode, plant } from '../../../support/mutants.ts'
import { MUTANTS } from './mutants.ts'

/** A fault of the sandbox must be found within so many histories. */
const HISTORIES = 500

let copy: string

beforeAll(() => {
  copy = copyOfCode()
})

test('nothing is found in the sandbox as it is', async () => expect(await play()).toBe(''))

test.each(MUTANTS)(`the model finds within ${HISTORIES} histories: $name`, async (mutant) => {
  const takeBack = plant(copy, mutant)
  try {
    // What does not even load proves nothing.
    expect(await play()).toContain('to play it alone')
  } finally {
    takeBack()
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
