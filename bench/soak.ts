import { spawnSync } from 'node:child_process'
import { findFaketime, prepareClock, removeClock } from './soak/clock.ts'
import { playWeek } from './soak/week.ts'

// Plays a week in a few minutes: a venue, its syncs, listeners, a worker and a monitor, and everything that can go
// wrong with them. Each fault must be told once, by the right check, and nothing else may be told; finally, copies,
// inbox and books must equal the service's data, and memory and files must not have grown.
// `node bench/soak.ts [--seeds N]`, 1 by default; SEED=7 begins with another order of the faults. SOAK_KEEP=1 keeps the
// directory of a week. The exit code is 1 if a promise was broken.

const seeds = Number(process.argv[2] === '--seeds' ? process.argv[3] : 1)
const first = Number(process.env['SEED'] ?? 1)

if (process.env['SOAK_OFFSET'] !== undefined) {
  const isGood = await playWeek(first)
  process.exit(isGood ? 0 : 1)
}

const library = findFaketime()
if (library === null) {
  process.stderr.write('skipped: days need libfaketime (apt-get install faketime)\n')
  process.exit(0)
}
const failed: number[] = []
for (let seed = first; seed < first + seeds; seed++) {
  const clock = prepareClock(library)
  const env = { ...process.env, ...clock, SEED: String(seed) }
  const { status } = spawnSync(process.execPath, [import.meta.filename], { env, stdio: 'inherit' })
  removeClock(clock['FAKETIME_TIMESTAMP_FILE'] as string)
  if (status !== 0) failed.push(seed)
}
const which = failed.length === 0 ? '' : `; promises were broken with ${failed.join(', ')}`
process.stdout.write(`${seeds - failed.length} of ${seeds} seeds passed${which}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
