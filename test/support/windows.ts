import type { Need } from './needs.ts'

/** The port of the bridge to Windows, with which `npm run test:windows` runs the tool in Node for Windows. */
const BRIDGE = process.env['PARTNER_TEST_BRIDGE']

/** Requires that the tool runs in Node for Windows. */
export const WINDOWS: Need = { isMet: BRIDGE !== undefined, lack: 'npm run test:windows runs these tests' }

/** Requires that the tool runs on this system. `lack` says what Windows, or Wine, lacks. */
export const unixOnly = (lack: string): Need => ({ isMet: BRIDGE === undefined, lack })
