const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timezone, made)
  return made
}

/** Formats an instant as the venue's local time in the format of `bookingTime`, for example `2026-11-20T18:00:00`. */
export function localText(instant: number, timezone: string): string {
  return formatOf(timezone).format(instant).replace(' ', 'T')
}

/**
 * Returns the first instant at which the venue's clocks show a time such as `2026-11-20 18:00`. Returns `null` if a
 * clock change skips that time or if the text is not a time.
 */
export function instantOf(local: string, timezone: string): number | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(local)) return null
  const text = `${local.replace(' ', 'T')}:00`
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return null
  const offsets = [-1, 1].map((days) => {
    const near = asUtc + days * 86_400_000
    return Date.parse(`${localText(near, timezone)}Z`) - near
  })
  const found = offsets.map((offset) => asUtc - offset).filter((instant) => localText(instant, timezone) === text)
  return found.length === 0 ? null : Math.min(...found)
}
