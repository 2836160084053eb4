import { Deliverer } from '../deliveries/deliverer.ts'
import type { SandboxControl } from './control.ts'

/** A sandbox to control, identified by its data directory or its address. */
export type ControlTarget = { readonly data: string } | { readonly baseUrl: string }

/**
 * Returns the controls of a sandbox. Creates the data directory if it does not exist. Running sandboxes that use the
 * directory see every change. Throws INTERNAL if the data is damaged, and NETWORK_ERROR or USAGE if no sandbox is
 * running at the address.
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
      // Delivers the events for new gift cards from this process, because there might be no running sandbox to deliver
      // them.
      await new Deliverer(state).deliverDue()
      return result
    },
  }
}
