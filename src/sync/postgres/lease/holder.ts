import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import { bootHere, livenessOf, type Owner, ownerHere } from '../../../base/storage/owner.ts'

/** The holder of a copy: JSON in `sync_state.holder`. */
export interface LeaseHolder extends Owner {
  readonly host: string
  readonly command: string
  /** Unique to this hold, so that a run that lost a response recognizes its own. */
  readonly token: string
}

export function holderHere(command: string): LeaseHolder {
  return { host: hostname(), command, token: randomUUID(), ...ownerHere() }
}

/** Returns null for anything that is not a holder. */
export function parseHolder(text: string | null): LeaseHolder | null {
  const value: Partial<LeaseHolder> | null = parseJsonOrNull(text ?? 'null')
  if (value === null || !Number.isSafeInteger(value.pid) || typeof value.host !== 'string') return null
  return {
    pid: Number(value.pid),
    host: value.host,
    command: textOr(value.command, 'partner') ?? '',
    token: textOr(value.token, '') ?? '',
    born: textOr(value.born, null),
    boot: textOr(value.boot, null),
    pidNamespace: textOr(value.pidNamespace, null),
  }
}

/** `process 4711 on web-2 (bookings sync)`. */
export function describeHolder(holder: LeaseHolder | null): string {
  return holder === null ? 'another run' : `process ${holder.pid} on ${holder.host} (${holder.command})`
}

/** Whether the holder certainly ended: a process of this boot that is gone. Elsewhere only its lease tells. */
export function isGone(holder: LeaseHolder | null): boolean {
  const boot = bootHere()
  return holder !== null && boot !== null && holder.boot === boot && livenessOf(holder) === 'gone'
}

/** A holder that was only stopped may still run: then only its lease ended. */
export function describeLoss(holder: LeaseHolder, name: string): string {
  const held = `${describeHolder(holder)} held ${name}`
  return isGone(holder) ? `${held} and is gone` : `${held}, and its lease ended`
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other
}
