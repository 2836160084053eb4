import { Deliverer } from '../deliveries/deliverer.ts'
import type { ClockReading, SandboxControl } from './control.ts'

/** Which sandbox is meant: by the directory of its data, or by the address of one that is running. */
export type ControlTarget =
  | { readonly data: string }
  | { readonly baseUrl: string; readonly adminToken?: string | undefined }

/**
 * Opens the way to a sandbox. A data directory is opened as it is, made when it is missing; the running sandboxes on it
 * see every change. Fails: INTERNAL when the data is damaged; NETWORK_ERROR or USAGE when no sandbox runs at the address.
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
  /** No sandbox may be running on the directory: what the new time makes due is delivered from here. */
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

const DELIVERED_WITHIN_MS = 10_000
