import { randomBytes } from 'node:crypto'

/** The trace that a span belongs to. IDs are lower-case hexadecimal. */
export interface TraceContext {
  /** 32 digits. */
  readonly traceId: string
  /** The span that started this one: 16 digits, or `null` if there is none. */
  readonly parentId: string | null
  /** Whether the system that began the trace records it. */
  readonly isSampled: boolean
}

/** Parses a `traceparent`. Returns `null` if it is invalid. Source: W3C Trace Context, 3.2. */
export function parseTraceparent(text: string): TraceContext | null {
  const [, version = '', traceId = '', parentId = '', flags = '', more = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(text.trim()) ?? []
  if (traceId === '' || version === 'ff' || (version === '00' && more !== '')) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`
}

export const newTraceId = () => randomBytes(16).toString('hex')

export const newSpanId = () => randomBytes(8).toString('hex')
