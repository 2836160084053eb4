import { Deliverer } from '../deliveries/deliverer.ts'
import type { SandboxControl } from './control.ts'

/** A sandbox, by its data directory or by the address of a running one. */
export type ControlTarget = { readonly data: string } | { readonly baseUrl: string }

/**
 * Opens a sandbox to control it, and makes a missing data directory. Running sandboxes on it see every change. Fails:
 * INTERNAL when the data is damaged; NETWORK_ERROR or USAGE when no sandbox runs at the address.
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
      // Delivers the events of new gift cards from here, as there may be no sandbox running on the directory.
      await new Deliverer(state).deliverDue()
      return result
    },
  }
}
