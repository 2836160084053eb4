import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './world.ts'

/** The sizes at the end of a day. */
export interface Measured {
  readonly day: number
  /** Resident memory of each process, in MiB. */
  readonly memory: ReadonlyMap<string, number>
  /** The size of each set of files, in KiB, and the rows in the inbox. */
  readonly files: ReadonlyMap<string, number>
}

/**
 * How much more memory a process may have at the end than on the second day: the heap of a Node process varies by
 * this much with the time of its last collection. A leak of one booking per event would not be seen, but one of a
 * response per run would be: a copy has several hundred runs.
 */
const MEMORY_FACTOR = 1.15
const MEMORY_MIB = 10
/** Days have different numbers of events, because faults take different times. */
const FILES_FACTOR = 2
const FILES_KIB = 64

export async function measure(world: World, day: number): Promise<Measured> {
  const watched = world.processes.filter(({ name }) => name !== 'sandbox')
  const memory = new Map(watched.flatMap((one) => (one.memoryMiB === null ? [] : [[one.name, one.memoryMiB]])))
  const [rows] = await world.query('SELECT count(*) AS n FROM inbox')
  const files = new Map([
    ['journal', sizeKiB(world.home, /^hooks\.ndjson/)],
    ['log', sizeKiB(join(world.log, '..'), /^log\.ndjson/)],
    ['monitor', sizeKiB(world.home, /^monitor\.db/)],
    ['data', sizeKiB(world.path('data'), /./)],
    ['inbox rows', Number(rows?.['n'])],
  ])
  return { day, memory, files }
}

function sizeKiB(directory: string, pattern: RegExp): number {
  let bytes = 0
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!pattern.test(name)) continue
    try {
      const stat = statSync(join(directory, name))
      if (stat.isFile()) bytes += stat.size
    } catch {
      // It was renamed or removed meanwhile.
    }
  }
  return bytes / 1024
}

/** Returns what is larger on the last day than on the second, or on the third if the second was short. */
export function judgeGrowth(all: readonly Measured[]): string[] {
  const last = all.at(-1)
  if (last === undefined || last.day < 4) return []
  const early = all.filter(({ day }) => day === 2 || day === 3)
  const grown = (kind: 'memory' | 'files', factor: number, more: number) =>
    [...last[kind]].flatMap(([name, size]) => {
      const before = Math.max(...early.map((one) => one[kind].get(name) ?? 0))
      return size > before * factor + more ? [`${name} grew from ${before.toFixed(0)} to ${size.toFixed(0)}`] : []
    })
  return [...grown('memory', MEMORY_FACTOR, MEMORY_MIB), ...grown('files', FILES_FACTOR, FILES_KIB)]
}

export function printMeasured(all: readonly Measured[]): void {
  for (const kind of ['memory', 'files'] as const)
    for (const name of all[0]?.[kind].keys() ?? []) {
      const sizes = all.map((one) => (one[kind].get(name) ?? 0).toFixed(0).padStart(5)).join('')
      const unit = kind === 'memory' ? 'MiB' : name === 'inbox rows' ? '' : 'KiB'
      process.stdout.write(`${name.padEnd(16)}${sizes} ${unit} at the end of each day\n`)
    }
}
