import type { SandboxControl } from './control.ts'
import type { SandboxState } from './state.ts'

/** Controls a sandbox whose state is open in this process. */
export function localControl(state: SandboxState): SandboxControl {
  return {
    addFault: async (specification) => state.faults.add(specification),
    listFaults: async () => state.faults.list(),
    clearFaults: async (id) => state.faults.clear(id),
    close: async () => state.close(),
  }
}
