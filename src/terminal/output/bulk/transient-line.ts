import { monotonicMs } from '../../../base/stopwatch.ts'
import type { Host } from '../../runtime/host.ts'

const MIN_REDRAW_MS = 100

/** Opens a progress line on stderr. Prints nothing unless stderr is a terminal. */
export function progressLine(host: Host) {
  const line = transientLine(host)
  const show = (done: number, of: number) =>
    line.show(() => `${grouped(done)} of ${grouped(of)} rows, ${Math.floor((done * 100) / of)}%`)
  return { ...line, show }
}

/**
 * Opens a line on stderr that each update overwrites. Limits how often it is redrawn. Prints nothing unless stderr is a
 * terminal.
 */
export function transientLine({ stderr, stderrScreen, env }: Host) {
  const isSilent = stderrScreen.columns === null || env['TERM'] === 'dumb'
  let shownAt = Number.NEGATIVE_INFINITY
  let isShown = false
  return {
    show: (text: () => string): void => {
      const now = monotonicMs()
      if (isSilent || now - shownAt < MIN_REDRAW_MS) return
      shownAt = now
      isShown = true
      void stderr.write(`\r\u001b[K${text()}`)
    },
    clear: (): void => {
      if (isShown) void stderr.write('\r\u001b[K')
      isShown = false
    },
  }
}

/** Groups digits without `toLocaleString`, which would load the locale database. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
