import { zipSync } from 'fflate'
import type { Entry } from './scan.ts'

/** Unix, with mode 0600. */
const FOR_OWNER = { os: 3, attrs: (0o100600 << 16) >>> 0 } as const

/** Packs files into a zip. `madeMs` is their time, epoch milliseconds. */
export function pack(entries: readonly Entry[], madeMs: number): Uint8Array {
  const files = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]))
  return zipSync(files, { ...FOR_OWNER, level: 9, mtime: new Date(madeMs) })
}

/** `partner-support-20261122-140315.zip`, by the clock of UTC. */
export function usualName(madeMs: number): string {
  const [day = '', time = ''] = new Date(madeMs).toISOString().split('T')
  return `partner-support-${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}.zip`
}
