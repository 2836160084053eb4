import { playHistories } from '../play.ts'

/**
 * Plays as many histories as the first word says, for a copy of the code in which something is planted. Ends with 1 when one shows a
 * difference, which is told.
 */

try {
  await playHistories(Number(process.argv[2]), { makeShorter: false })
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
