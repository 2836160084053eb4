import type { World } from './world.ts'

/**
 * Checks what the job monitor was told: each sync began runs and ended them, no run ended that had not begun, except
 * one that an event started and that failed, and only a killed process leaves a run open. Returns what is wrong.
 */
export function checkPings(world: World): string[] {
  return world.processes
    .filter(({ name }) => name.startsWith('sync-'))
    .flatMap(({ name, starts }) => {
      const pings = world.receivers.pings.get(name) ?? []
      const open = pings.filter((ping, at) => ping === 'start' && pings[at + 1] === 'start').length
      const unasked = pings.filter((ping, at) => ping === '0' && pings[at - 1] === '0').length
      const unknown = pings.filter((ping) => ping !== 'start' && !/^\d{1,3}$/.test(ping))
      return [
        pings.includes('0') ? '' : 'never ended a run well',
        open > starts ? `left ${open} runs open, but was started ${starts} times` : '',
        unasked > 0 ? `ended ${unasked} runs that had not begun` : '',
        unknown.length > 0 ? `sent ${unknown.join(', ')}` : '',
        pings.filter((ping) => ping !== 'start').at(-1) === '0' ? '' : 'did not say at last that all is well',
      ].flatMap((problem) => (problem === '' ? [] : [`the pings of ${name}: it ${problem}`]))
    })
}

/** Returns how many pings of each kind each sync sent. */
export function countPings(world: World): string {
  return [...world.receivers.pings]
    .map(([name, pings]) => {
      const counts = Map.groupBy(pings, (ping) => ping)
      return `${name} ${[...counts].map(([ping, all]) => `${ping}: ${all.length}`).join(', ')}`
    })
    .join('; ')
}
