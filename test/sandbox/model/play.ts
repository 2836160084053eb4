import fc from 'fast-check'
import { HISTORY, type History, play } from './history.ts'
import { Rig } from './rig.ts'

const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_123)

/**
 * Runs random tests and returns all distinct responses. If the sandbox and the model differ, throws an Error that shows
 * the steps, reduced to a minimum if `shouldShrink` is true.
 */
export async function playHistories(count: number, { shouldShrink = true } = {}): Promise<ReadonlySet<string>> {
  const rig = await Rig.open()
  try {
    const path = process.env['PARTNER_MODEL_PATH']
    const property = fc.asyncProperty(HISTORY, (history) => play(history, rig))
    const parameters = { seed: SEED, numRuns: count, endOnFailure: !shouldShrink, ...(path ? { path } : {}) }
    const result = await fc.check(property, parameters)
    if (!result.failed) return rig.met
    throw new Error(await reportOf(rig, result))
  } finally {
    await rig.close()
  }
}

async function reportOf(
  rig: Rig,
  { counterexample, counterexamplePath, seed, errorInstance }: fc.RunDetails<[History]>,
) {
  const [history] = counterexample ?? []
  const [run = ''] = (counterexamplePath ?? '').split(':')
  const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  const replayed = history ? await replay(history, rig) : ''
  return [
    said,
    ...(replayed === said ? [] : [`when replayed: ${replayed}`]),
    `seed ${seed}, path ${counterexamplePath}; the shortest history that reproduces it:`,
    ...rig.transcript.map((line) => `  ${line}`),
    `to run only this history: PARTNER_SEED=${seed} PARTNER_MODEL_PATH=${run} npx vitest run test/sandbox/model/model.ci.test.ts`,
  ].join('\n')
}

async function replay(history: History, rig: Rig): Promise<string> {
  try {
    await play(history, rig)
    return 'no difference'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
