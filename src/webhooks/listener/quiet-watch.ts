/** Notices when nothing comes any more. */
export interface QuietWatch {
  hear(): void
  end(): void
}

/** Calls `tell` with the milliseconds since something came, each time `afterMs` have passed. `null` never calls it. */
export function watchQuiet(afterMs: number | null, tell: (quietMs: number) => void): QuietWatch {
  let times = 0
  const timer = afterMs === null ? undefined : setInterval(() => tell(afterMs * ++times), afterMs)
  return {
    hear: () => {
      times = 0
      timer?.refresh()
    },
    end: () => clearInterval(timer),
  }
}
