import { Failure } from '../../../base/failure/failure.ts'
import { parseDuration, tryParseDuration } from '../../../base/time/duration.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import type { SandboxControl } from '../../../sandbox/control/control.ts'
import type { SandboxState } from '../../../sandbox/state.ts'
import type { Zone } from '../../../sandbox/venue/zone.ts'
import type { Complaint } from '../scene.ts'
import { readFault } from './fault.ts'

type Action = (control: SandboxControl, written: URLSearchParams, state: SandboxState) => Promise<unknown>

/** The actions that forms can run, keyed by name. Each action throws USAGE if its input is invalid. */
export const ACTIONS = {
  'add-fault': async (control, written) => control.addFault(readFault(written)),
  'clear-fault': async (control, written) => {
    const id = written.get('id') ?? ''
    // Clearing a fault that no longer exists is not an error.
    if (/^\d{1,15}$/.test(id)) await control.clearFaults(Number(id))
  },
  'advance-clock': async (control, written) =>
    control.advanceClock(parseDuration(written.get('by') ?? '', 'Advance by', { minMs: 1 })),
  'set-clock': async (control, written, { store }) =>
    control.setClock(readTime(written.get('to') ?? '', store.zone), written.get('frozen') === '1'),
  'freeze-clock': (control, _written, state) => control.setClock(state.settings().clock.now(), true),
  'run-clock': (control, _written, state) => control.setClock(state.settings().clock.now(), false),
  'reset-clock': (control) => control.setClock(null, false),
} as const satisfies Readonly<Record<string, Action>>

export type ActionName = keyof typeof ACTIONS

/**
 * Waits for an action to finish. Returns the problem if the action throws USAGE, and `null` if it succeeds. Rethrows
 * all other errors.
 */
export async function complaintAbout(action: Promise<unknown>, form: ActionName, written: URLSearchParams) {
  try {
    await action
    return null
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'USAGE') throw error
    const { message, hint } = error
    const next = hint === undefined ? null : `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`
    return { form, message: `${message}.`, hint: next, written } satisfies Complaint
  }
}

/** Reads a local time, or a duration before or after the current time. A duration must have a sign (`-2h` or `+2h`). */
function readTime(text: string, zone: Zone): number {
  const typed = text.trim()
  if (tryParseDuration(typed) !== null)
    throw new Failure('USAGE', `Time: ${JSON.stringify(typed)} could be in the past or the future`, {
      hint: `write -${typed} for a time in the past, or +${typed} for a time in the future`,
    })
  return parseInstant(typed, { now: Date.now(), timezone: zone.name, edge: 'lower', flag: 'Time' })
}
