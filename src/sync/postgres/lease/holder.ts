import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { parseJsonOrNull } from '../../../base/json/parse.ts'
import { getCurrentBoot, getCurrentOwner, getLiveness, type Owner } from '../../../base/storage/owner.ts'

/** The run that holds a copy, stored as JSON in `sync_state.holder`. */
export interface LeaseHolder extends Owner {
  readonly host: string
  readonly command: string
  /** A random string that lets a run recognize its own lease even if a response was lost. */
  readonly token: string
}

export function holderHere(command: string): LeaseHolder {
  // Omit the path of the liveness file: it contains the user's name and is useless on other machines.
  const { lifeFile: _, ...owner } = getCurrentOwner()
  return { host: hostname(), command, token: randomUUID(), ...owner }
}

/** Parses a holder. Returns `null` if the text does not describe a holder. */
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

/** Describes a holder, for example `process 4711 on web-2 (bookings sync)`. */
export function describeHolder(holder: LeaseHolder | null): string {
  return holder === null ? 'another run' : `process ${holder.pid} on ${holder.host} (${holder.command})`
}

/**
 * Returns whether the holder is known to have exited. That can be determined only for processes that were started on
 * this machine since it booted.
 */
export function isGone(holder: LeaseHolder | null): boolean {
  const boot = getCurrentBoot()
  return holder !== null && boot !== null && holder.boot === boot && getLiveness(holder) === 'gone'
}

/** Describes how a holder lost its lease. A process that was only suspended may still be alive. */
export function describeLoss(holder: LeaseHolder, name: string): string {
  const held = `${describeHolder(holder)} held ${name}`
  return isGone(holder) ? `${held} but has exited` : `${held}, but its lease expired`
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other
}
