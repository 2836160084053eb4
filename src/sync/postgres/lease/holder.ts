import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import { bootHere, livenessOf, type Owner, ownerHere } from '../../../base/storage/owner.ts'

/** Who holds a copy, as `sync_state.holder` has it: JSON, which people can read too. */
export interface LeaseHolder extends Owner {
  readonly host: string
  /** `bookings sync`. */
  readonly command: string
  /** Of this hold alone, so that a run whose answer was lost knows its own. */
  readonly token: string
}

/** This process, as a holder. */
export function holderHere(command: string): LeaseHolder {
  return { host: hostname(), command, token: randomUUID(), ...ownerHere() }
}

/** Reads a holder; null for what is none. */
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

/**
 * Whether the holder certainly runs no more: it was a process of this very start of this system, which is gone. Of any other
 * system only the end of the lease tells.
 */
export function isGone(holder: LeaseHolder | null): boolean {
  const boot = bootHere()
  return holder !== null && boot !== null && holder.boot === boot && livenessOf(holder) === 'gone'
}

/** Says why a holder has its copy no more. One whose process may still run, as when it was stopped, only let its lease end. */
export function describeLoss(holder: LeaseHolder, name: string): string {
  return isGone(holder)
    ? `${describeHolder(holder)} held ${name} and is gone`
    : `${describeHolder(holder)} held ${name}, and its lease ended`
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other
}
