import type { Host } from '../../runtime/host.ts'

/** How far a long piece of work has come, on the line of stderr that a person at a terminal sees. */
export interface ProgressBar {
  /** Redraws the bar, several times a second at most. `remark`: a few words behind it. */
  update(done: number, remark: string): void
  end(): void
}

const NO_BAR: ProgressBar = { update: () => {}, end: () => {} }

/** How often it is drawn. Milliseconds. */
const EVERY_MS = 100

const SHAPE = {
  format: '{bar} {percentage}% | {value} of {total}{remark}{left}',
  barCompleteString: '='.repeat(24),
  barIncompleteString: '-'.repeat(24),
  barGlue: '',
  barsize: 24,
  align: 'left',
  autopaddingChar: '',
} as const

/** A bar for a person at a terminal; nothing in a pipe, on a terminal that cannot erase, with --quiet and with --no-input. */
export async function openProgressBar(host: Host, isUnattended: boolean, total: number): Promise<ProgressBar> {
  if (isUnattended || total === 0 || host.stderrScreen.columns === null || host.env['TERM'] === 'dumb') return NO_BAR
  const { Format } = await import('cli-progress')
  const startTime = host.now()
  // Results on the same terminal erase it each time.
  const everyMs = host.stdoutScreen.columns === null ? EVERY_MS : 0
  let drawnAt = Number.NEGATIVE_INFINITY
  let over: (() => void) | null = null
  return {
    update(done, remark) {
      const now = host.now()
      if (now - drawnAt < everyMs) return
      drawnAt = now
      const eta = done === 0 ? 0 : ((now - startTime) / 1000 / done) * (total - done)
      const left = done === 0 ? '' : `, ${timeText(eta)} left`
      const params = { progress: done / total, eta, startTime, total, value: done, maxWidth: 0 }
      const text = Format.Formatter(SHAPE, params, { remark, left })
      const next = host.waiting.begin(text, 'news')
      over?.()
      over = next
    },
    end: () => over?.(),
  }
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 100 ? `${whole} s` : `${Math.ceil(whole / 60)} min`
}
