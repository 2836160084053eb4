import type { KnownDestination } from '../state/state-store.ts'

/** A destination for alerts. */
export interface Destination extends KnownDestination {
  /** The name for messages, such as `webhook https://alerts.example`. It contains no secrets. */
  readonly name: string
  /**
   * Tries once to deliver an alert, within a time limit. `line` is the alert as one line of JSON, including the
   * newline. Returns `null` if the destination accepted the alert, or the problem if it did not. Never throws.
   */
  deliver(alert: { readonly id: string; readonly line: string }): Promise<string | null>
}
