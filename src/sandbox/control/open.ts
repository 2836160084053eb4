import { Deliverer } from '../deliveries/deliverer.ts'
import type { ClockReading, SandboxControl } from './control.ts'

const DELIVERED_WITHIN_MS = 10_000

/** Which sandbox is meant: by the directory of its data, or by the address of one that is running. */
export type ControlTarget = { readonly data: string } | { readonly baseUrl: string }

/**
 * Opens a sandbox to control it. A data directory that is missing is made; sandboxes that run on it see every change.
 * Fails: INTERNAL when the data is damaged; NETWORK_ERROR or USAGE when no sandbox runs at the address.
 */
export async function openControl(target: ControlTarget): Promise<SandboxControl> {
  if ('baseUrl' in target) {
    const { remoteControl } = await import('./remote.ts')
    return remoteControl(target.baseUrl)
  }
  const [{ localControl }, { openState }] = await Promise.all([import('./local.ts'), import('../open-state.ts')])
  const state = openState(target.data)
  const control = localControl(state)
  const deliverer = new Deliverer(state)
  // Perhaps no sandbox runs on the directory, so webhooks that the new time makes due are delivered from here.
  const delivered = async (clock: ClockReading) => {
    await deliverer.deliverDue(DELIVERED_WITHIN_MS)
    return clock
  }
  return {
    ...control,
    setClock: async (at, frozen) => delivered(await control.setClock(at, frozen)),
    advanceClock: async (byMs) => delivered(await control.advanceClock(byMs)),
  }
}
