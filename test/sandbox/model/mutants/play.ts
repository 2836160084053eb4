import { playHistories } from '../play.ts'

/** Plays as many histories as its argument says. Exits with 1 if one shows a difference, and prints it. */
try {
  await playHistories(Number(process.argv[2]), { makeShorter: false })
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
