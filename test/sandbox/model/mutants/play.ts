import { playHistories } from '../play.ts'

/**
 * Plays the number of histories given as its argument. Prints the first difference and exits with 1 if there is one.
 */
try {
  await playHistories(Number(process.argv[2]), { shouldShrink: false })
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
