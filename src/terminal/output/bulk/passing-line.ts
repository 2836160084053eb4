import { monotonicMs } from '../../../base/stopwatch.ts'
import type { Host } from '../../runtime/host.ts'

/** A line on stderr that says how far something is, for a person who waits; where no terminal is, nothing is said. */
export interface ProgressLine {
  show(done: number, of: number): void
  /** Takes the line away. */
  clear(): void
}

const AGAIN_AFTER_MS = 100

/** Makes such a line. */
export function progressLine(host: Host): ProgressLine {
  const { show, clear } = passingLine(host)
  return {
    show: (done, of) => show(() => `${grouped(done)} of ${grouped(of)} rows, ${Math.floor((done * 100) / of)}%`),
    clear,
  }
}

/** A line on stderr that is written over; where no terminal is, nothing is said. */
export function passingLine({ stderr, stderrScreen, env }: Host): {
  show(text: () => string): void
  /** Takes the line away. */
  clear(): void
} {
  if (stderrScreen.columns === null || env['TERM'] === 'dumb') return { show: () => undefined, clear: () => undefined }
  let shownAt = Number.NEGATIVE_INFINITY
  let isShown = false
  return {
    show: (text) => {
      const now = monotonicMs()
      if (now - shownAt < AGAIN_AFTER_MS) return
      shownAt = now
      isShown = true
      void stderr.write(`\r\u001b[K${text()}`)
    },
    clear: () => {
      if (isShown) void stderr.write('\r\u001b[K')
      isShown = false
    },
  }
}

/** Not `toLocaleString`, which loads a database of locales first. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
