import type { Fault, FaultSpecification } from './fault-kinds.ts'

/** What a person does to a sandbox from outside: on its data directory, or on one that is running. */
export interface SandboxControl {
  /** Fails: USAGE when the fault makes no sense. */
  addFault(specification: FaultSpecification): Promise<Fault>
  listFaults(): Promise<readonly Fault[]>
  /** Removes all, or the one of that number; returns how many. */
  clearFaults(id?: number): Promise<number>
  close(): Promise<void>
}
