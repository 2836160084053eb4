import { playHistories } from '../play.ts'

/** Runs the given number of random tests. If there is a difference, prints the first one and exits with code 1. */
try {
  await playHistories(Number(process.argv[2]), { shouldShrink: false })
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
