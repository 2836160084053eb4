import { Deliverer } from '../deliveries/deliverer.ts'
import type { SandboxControl } from './control.ts'

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
  return {
    ...control,
    seed: async (large) => {
      const result = await control.seed(large)
      // Perhaps no sandbox runs on the directory, so the events of new gift cards are delivered from here.
      await new Deliverer(state).deliverDue()
      return result
    },
  }
}
