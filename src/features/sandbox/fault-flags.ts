import { parseDuration } from '../../base/time/duration.ts'
import {
  EFFECTS_WITHOUT_PHASE,
  type FaultEffect,
  type FaultSpecification,
  LONGEST_MS,
  parseBytes,
  parsePercent,
} from '../../sandbox/faults/fault.ts'
import { type FlagValues, flag, toggle } from '../../terminal/input/flags.ts'
import type { Problems } from '../../terminal/input/problems.ts'

const KIND = { helpGroup: 'KIND' } as const
const WHEN = { helpGroup: 'TIMES' } as const

export const FAULT_FLAGS = {
  endpoint: flag('"METHOD PATH"', 'The endpoint to affect, such as "GET /GiftCards/{cardNumber}"; * means any.'),
  status: { ...flag('CODE', "Respond with this status and the endpoint's documented message."), ...KIND },
  message: { ...flag('TEXT', 'With --status, respond with this message.'), ...KIND },
  latency: { ...flag('DUR', 'Delay the response by DUR.'), ...KIND },
  reset: { ...toggle('Reset the connection without a response.'), ...KIND },
  close: { ...toggle('Close the connection without a response.'), ...KIND },
  hang: { ...toggle('Never respond.'), ...KIND },
  truncate: { ...flag('BYTES', 'Close the connection after BYTES of the body.'), ...KIND },
  malformed: { ...toggle('Cut off the body in the middle of the JSON.'), ...KIND },
  dribble: { ...toggle('Send the body a few bytes at a time.'), ...KIND },
  oversize: { ...flag('BYTES', 'Pad the body by BYTES, such as 20MiB.'), ...KIND },
  redirect: { ...flag('URL', 'Respond with a 307 redirect to URL.'), ...KIND },
  skew: { ...flag('DUR', 'Shift the Date header by DUR, such as -5m for a clock that is five minutes slow.'), ...KIND },
  'duplicate-webhook': { ...flag('TIMES', 'Deliver the webhooks for affected requests TIMES times.'), ...KIND },
  'late-webhook': { ...flag('DUR', 'Delay the webhooks for affected requests by DUR.'), ...KIND },
  'lost-webhook': { ...toggle('Never deliver the webhooks for affected requests.'), ...KIND },
  phase: flag('before|after', 'Fail before or after the change is applied.'),
  next: { ...flag('N', 'Affect the next N requests.'), ...WHEN },
  share: { ...flag('PERCENT', 'Affect PERCENT of requests, chosen at random (see --seed).'), ...WHEN },
  seed: { ...flag('N', 'The random seed for --share; the same seed selects the same requests.'), ...WHEN },
  nth: { ...flag('N', 'Affect only the Nth request, counting from now.'), ...WHEN },
} as const

type Kind = FaultEffect['kind']

const KINDS = Object.entries(FAULT_FLAGS).flatMap(([name, { helpGroup }]) =>
  helpGroup === KIND.helpGroup && name !== 'message' ? [name as Kind] : [],
)

type FaultFlags = Partial<FlagValues<typeof FAULT_FLAGS>>

/** Reads the fault from the flags. If the flags are invalid, adds problems and returns `undefined`. */
export function parseFault(flags: FaultFlags, problems: Problems): FaultSpecification | undefined {
  if (flags.endpoint === undefined)
    problems.add('--endpoint is required', 'for example --endpoint "GET /GiftCards/{cardNumber}"')
  const effect = parseEffect(flags, problems)
  const times = parseTimes(flags, problems)
  const { phase } = flags
  if (phase !== undefined && phase !== 'before' && phase !== 'after')
    problems.add(`--phase must be before or after, not ${JSON.stringify(phase)}`)
  else if (phase !== undefined && effect && EFFECTS_WITHOUT_PHASE.has(effect.kind))
    problems.add(`--phase and --${effect.kind} cannot be used together`)
  if (flags.endpoint === undefined || effect === undefined) return undefined
  const known = phase === 'before' || phase === 'after' ? phase : undefined
  return { endpoint: flags.endpoint, effect, phase: known, ...times }
}

function parseEffect(flags: FaultFlags, problems: Problems): FaultEffect | undefined {
  const given = KINDS.filter((kind) => flags[kind] !== undefined && flags[kind] !== false)
  if (flags.message !== undefined && flags.status === undefined) problems.add('--message needs --status')
  if (given.length > 1)
    problems.add(`${given.map((kind) => `--${kind}`).join(' and ')} cannot be used together`, 'add one fault for each')
  const effects = given.map((kind) => buildEffect(kind, flags, problems))
  if (given.length === 0) problems.add(`one of ${KINDS.map((kind) => `--${kind}`).join(', ')} is required`)
  return effects[0]
}

function buildEffect(kind: Kind, flags: FaultFlags, problems: Problems): FaultEffect | undefined {
  const text = String(flags[kind])
  switch (kind) {
    case 'status': {
      const status = problems.wholeNumber('--status', text, 200, 599)
      return status === undefined ? undefined : { kind, status, message: flags.message }
    }
    case 'latency':
    case 'late-webhook': {
      const ms = parseLength(`--${kind}`, text, problems)
      return ms === undefined ? undefined : { kind, ms }
    }
    case 'skew': {
      const [, sign = '', length = ''] = /^([+-]?)(.*)$/s.exec(text.trim()) ?? []
      const ms = parseLength('--skew', length, problems)
      return ms === undefined ? undefined : { kind, ms: sign === '-' ? -ms : ms }
    }
    case 'truncate':
    case 'oversize': {
      const bytes = parseBytes(text.trim())
      if (bytes !== null) return { kind, bytes }
      problems.add(
        `--${kind} must be a number of bytes up to 1024MiB, such as 100, 64KiB or 20MiB, not ${JSON.stringify(text)}`,
      )
      return undefined
    }
    case 'duplicate-webhook': {
      const times = problems.wholeNumber('--duplicate-webhook', text, 2, 100)
      return times === undefined ? undefined : { kind, times }
    }
    case 'redirect':
      return { kind, url: text }
    default:
      return { kind }
  }
}

function parseLength(flag: string, text: string, problems: Problems): number | undefined {
  return problems.check(() => parseDuration(text, flag, { maxMs: LONGEST_MS }))
}

function parseTimes(flags: FaultFlags, problems: Problems) {
  const ways = (['next', 'share', 'nth'] as const).filter((way) => flags[way] !== undefined)
  if (ways.length > 1)
    problems.add(`${ways.map((way) => `--${way}`).join(' and ')} cannot be used together`, 'use only one of them')
  if (flags.seed !== undefined && flags.share === undefined) problems.add('--seed needs --share')
  const next = problems.wholeNumber('--next', flags.next, 1, 1_000_000_000)
  const nth = problems.wholeNumber('--nth', flags.nth, 1, 1_000_000_000)
  const seed = problems.wholeNumber('--seed', flags.seed, 0, 4_294_967_295)
  const share = flags.share === undefined ? undefined : parsePercent(flags.share.trim())
  if (share === null)
    problems.add(`--share must be a percentage above 0 and at most 100, not ${JSON.stringify(flags.share)}`)
  return { next, nth, share: share ?? undefined, seed }
}
