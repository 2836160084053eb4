import type { HarFile } from '../../../client/har-file.ts'
import type { Printer, PrinterOptions } from '../printer.ts'

/** What prints records and objects. */
export type Printing = Pick<Printer, 'list' | 'found' | 'one'>

/** One of the venues that a command runs for at the same time. */
export interface Venue {
  readonly profile: string
  /** Prints what this venue's run shows among what the others show. */
  readonly printer: (options: PrinterOptions) => Printing
  /** Told before each request leaves. */
  readonly beginRequest: () => void
  /** Does a piece of work when it is this venue's turn. Only a command that takes its turns itself asks for them. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** What takes the traffic of all venues; null when nothing does. */
  readonly recorder: HarFile | null
}
