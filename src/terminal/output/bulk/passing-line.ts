import { monotonicMs } from '../../../base/stopwatch.ts'
import type { Host } from '../../runtime/host.ts'

const AGAIN_AFTER_MS = 100

/** Opens a line on stderr that says how far something is; silent where stderr is no terminal. */
export function progressLine(host: Host) {
  const line = passingLine(host)
  const show = (done: number, of: number) =>
    line.show(() => `${grouped(done)} of ${grouped(of)} rows, ${Math.floor((done * 100) / of)}%`)
  return { ...line, show }
}

/** Opens a line on stderr that is written over, a few times a second at most; silent where stderr is no terminal. */
export function passingLine({ stderr, stderrScreen, env }: Host) {
  const isSilent = stderrScreen.columns === null || env['TERM'] === 'dumb'
  let shownAt = Number.NEGATIVE_INFINITY
  let isShown = false
  return {
    show: (text: () => string): void => {
      const now = monotonicMs()
      if (isSilent || now - shownAt < AGAIN_AFTER_MS) return
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

/** Not `toLocaleString`, which loads a database of locales first. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
