import { Deliverer } from '../deliveries/deliverer.ts'
import type { ClockReading, SandboxControl } from './control.ts'

/** Which sandbox to control: by its data directory, or by the address where it runs. */
export type ControlTarget =
  | { readonly data: string }
  | { readonly baseUrl: string; readonly adminToken?: string | undefined }

/**
 * Opens the control of a sandbox. A data directory is created when it is missing; sandboxes that run on it see every change.
 * Fails: INTERNAL when the data is damaged; NETWORK_ERROR or USAGE when no sandbox runs at the address.
 */
export async function openControl(target: ControlTarget): Promise<SandboxControl> {
  if ('baseUrl' in target) {
    const { remoteControl } = await import('./remote.ts')
    return remoteControl(target.baseUrl, target.adminToken)
  }
  const [{ localControl }, { openState }] = await Promise.all([import('./local.ts'), import('../open-state.ts')])
  const state = openState(target.data)
  const control = localControl(state)
  const deliverer = new Deliverer(state)
  /** Delivers what the new time makes due: perhaps no sandbox runs on the directory to do it. */
  const deliverFor = async (clock: ClockReading) => {
    await deliverer.deliverDue(DELIVERED_WITHIN_MS)
    return clock
  }
  return {
    ...control,
    setClock: async (at, frozen) => deliverFor(await control.setClock(at, frozen)),
    advanceClock: async (byMs) => deliverFor(await control.advanceClock(byMs)),
  }
}

const DELIVERED_WITHIN_MS = 10_000
