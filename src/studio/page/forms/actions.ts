import { Failure } from '../../../base/failure/failure.ts'
import { parseDuration, tryParseDuration } from '../../../base/time/duration.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import type { SandboxControl } from '../../../sandbox/control/control.ts'
import type { Zone } from '../../../sandbox/venue/zone.ts'
import type { Complaint } from '../scene.ts'
import { readFault } from './fault.ts'

/** What a form can use. */
interface Means {
  /** Controls the sandbox, as the commands do. */
  readonly control: SandboxControl
  readonly zone: Zone
  /** The venue's time, milliseconds since 1970. */
  readonly now: () => number
}

/** What is wrong with what was written. */
type Wrong = Pick<Complaint, 'message' | 'hint'>

interface Action {
  /** Where the page goes on afterwards. */
  readonly section: 'faults' | 'clock'
  readonly act: (means: Means, written: URLSearchParams) => Promise<Wrong | null>
}

/** What the forms of the page do, by name; each says what is wrong, or null when it is done. */
export const ACTIONS = {
  'add-fault': action('faults', async ({ control }, written) => void (await control.addFault(readFault(written)))),
  'clear-fault': action('faults', async ({ control }, written) => {
    const id = written.get('id') ?? ''
    // One that is gone already is as clear as it can be.
    if (/^\d{1,15}$/.test(id)) await control.clearFaults(Number(id))
  }),
  'advance-clock': action('clock', async ({ control }, written) => {
    await control.advanceClock(parseDuration(written.get('by') ?? '', 'Advance by', { minMs: 1 }))
  }),
  'set-clock': action('clock', async ({ control, zone }, written) => {
    await control.setClock(readTime(written.get('to') ?? '', zone), written.get('frozen') === '1')
  }),
  'freeze-clock': action('clock', async ({ control, now }) => void (await control.setClock(now(), true))),
  'run-clock': action('clock', async ({ control, now }) => void (await control.setClock(now(), false))),
  'reset-clock': action('clock', async ({ control }) => void (await control.setClock(null, false))),
} as const satisfies Readonly<Record<string, Action>>

/** The name of such a form. */
export type ActionName = keyof typeof ACTIONS

function action(section: Action['section'], work: (means: Means, written: URLSearchParams) => Promise<void>): Action {
  return {
    section,
    act: async (means, written) => {
      try {
        await work(means, written)
        return null
      } catch (error) {
        if (error instanceof Failure && error.code === 'USAGE')
          return { message: `${error.message}.`, hint: hintOf(error) }
        throw error
      }
    },
  }
}

function hintOf({ hint }: Failure): string | null {
  return hint === undefined ? null : `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`
}

/** A time on the venue's clock. What has no sign could mean before or after now. */
function readTime(text: string, zone: Zone): number {
  const typed = text.trim()
  if (tryParseDuration(typed) !== null)
    throw new Failure('USAGE', `Time: ${JSON.stringify(typed)} can mean before or after now`, {
      hint: `write -${typed} for that long ago, or +${typed} for that long from now`,
    })
  return parseInstant(typed, { now: Date.now(), timezone: zone.name, edge: 'lower', flag: 'Time' })
}
