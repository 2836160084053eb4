import { usageFailure } from '../../../base/failure/failure.ts'

const UNITS = { '': 1, k: 1024, m: 1024 ** 2 } as const

/** Parses a size in bytes, such as `65536`, `64k` or `1m`. Throws USAGE if it is invalid or out of range. */
export function parseSize(text: string, flag: string, min: number, max: number): number {
  const [, digits, unit = ''] = /^(\d{1,12})([km]?)$/i.exec(text.trim()) ?? []
  if (digits === undefined)
    throw usageFailure([`${flag} must be a size in bytes, not ${JSON.stringify(text)}`], 'for example 65536, 64k or 1m')
  const bytes = Number(digits) * UNITS[unit.toLowerCase() as keyof typeof UNITS]
  if (bytes >= min && bytes <= max) return bytes
  throw usageFailure([`${flag} must be between ${formatSize(min)} and ${formatSize(max)}, not ${JSON.stringify(text)}`])
}

/** Formats a size in a form that {@link parseSize} can read. */
export function formatSize(bytes: number): string {
  if (bytes % UNITS.m === 0) return `${bytes / UNITS.m}m`
  return bytes % UNITS.k === 0 ? `${bytes / UNITS.k}k` : String(bytes)
}
