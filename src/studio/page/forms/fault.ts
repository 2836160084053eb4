import { Failure } from '../../../base/failure/failure.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import {
  EFFECTS_WITHOUT_PHASE,
  type FaultEffect,
  type FaultSpecification,
  LONGEST_MS,
  parseBytes,
  parsePercent,
} from '../../../sandbox/faults/fault.ts'

/** Reads a fault from a submitted form. Throws USAGE for the first invalid field. */
export function readFault(written: URLSearchParams): FaultSpecification {
  const text = (name: string) => (written.get(name) ?? '').trim()
  const endpoint = text('endpoint')
  if (endpoint === '')
    throw new Failure('USAGE', 'Endpoint is empty', { hint: 'choose an endpoint, or enter * for any endpoint' })
  const next = readNumber('Next requests', text('next'), 1)
  const share = readShare(text('share'))
  if (next !== undefined && share !== undefined)
    throw new Failure('USAGE', 'Next requests and Share cannot be used together', { hint: 'clear one of them' })
  const effect = readEffect(text('kind') as FaultEffect['kind'], text)
  const given = text('phase')
  const phase = (given === 'before' || given === 'after') && !EFFECTS_WITHOUT_PHASE.has(effect.kind) ? given : undefined
  return { endpoint, effect, phase, next, share }
}

const HOW_MUCH = 'How much'

function readEffect(kind: FaultEffect['kind'], text: (name: string) => string): FaultEffect {
  const value = text('value')
  switch (kind) {
    case 'status': {
      const status = readNumber('Status', text('status'), 200, 599)
      if (status === undefined)
        throw new Failure('USAGE', 'Status is empty', { hint: 'enter a status from 200 to 599' })
      return { kind, status, message: text('message') || undefined }
    }
    case 'latency':
    case 'late-webhook':
      return { kind, ms: parseDuration(value, HOW_MUCH, { maxMs: LONGEST_MS }) }
    case 'skew': {
      const isSlow = value.startsWith('-')
      const ms = parseDuration(value.replace(/^[+-]/, ''), HOW_MUCH, { maxMs: LONGEST_MS })
      return { kind, ms: isSlow ? -ms : ms }
    }
    case 'truncate':
      return { kind, bytes: readBytes(value) }
    case 'oversize':
      return { kind, ...(value === '' ? {} : { bytes: readBytes(value) }) }
    case 'duplicate-webhook':
      return { kind, times: readNumber(HOW_MUCH, value, 2, 100) ?? 2 }
    case 'redirect':
      return { kind, url: value }
    default:
      return { kind } as FaultEffect
  }
}

function readNumber(label: string, text: string, least: number, most = 1_000_000_000): number | undefined {
  if (text === '') return undefined
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === 1_000_000_000 ? `from ${least}` : `from ${least} to ${most}`
  throw new Failure('USAGE', `${label}: ${JSON.stringify(text)} is not a whole number ${range}`)
}

function readShare(text: string): number | undefined {
  if (text === '') return undefined
  const share = parsePercent(text)
  if (share !== null) return share
  throw new Failure('USAGE', `Share must be a percentage above 0 and at most 100, not ${JSON.stringify(text)}`)
}

function readBytes(text: string): number {
  // Accept a space between the number and its unit.
  const bytes = parseBytes(text.replace(/ (?=[A-Za-z])/, ''))
  if (bytes !== null) return bytes
  throw new Failure('USAGE', `${HOW_MUCH}: ${JSON.stringify(text)} is not a number of bytes`, {
    hint: 'enter a number such as 100, 64KiB or 20MiB, up to 1024MiB',
  })
}
