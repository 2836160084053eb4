import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from './clock.ts'
import { broken, type Fault, over } from './fault.ts'
import { waitFor } from './process.ts'

/** What goes wrong on the machine of this venue. */
export const MACHINE_FAULTS: readonly Fault[] = [
  {
    name: 'the disk is full',
    check: 'disk',
    needsDisk: true,
    async inject({ world, activity }) {
      const filler = join(world.disk as string, 'filler')
      writeFileSync(filler, '')
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(64 * 1024))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
      await activity.changePax('BK-1003')
      return async () => rmSync(filler)
    },
  },
  {
    name: 'each process is killed',
    check: null,
    async inject({ world, watch, random }) {
      const order = world.processes.filter(({ name }) => name !== 'sandbox').map((one) => ({ one, key: random() }))
      for (const { one } of order.toSorted((a, b) => a.key - b.key)) {
        await one.kill()
        await waitFor(`${one.name} runs again`, () => one.said !== '' || one.name === 'worker')
      }
      await watch.settle()
      return over
    },
  },
  {
    name: 'requests fail, syncs are killed',
    check: null,
    async inject({ world, watch, random }) {
      const list = 'GET /Bookings'
      const seed = String(Math.floor(random() * 1000))
      await world.addFault(list, '--share', '15', '--seed', seed, '--reset')
      await world.addFault(list, '--share', '10', '--seed', seed, '--truncate', '900')
      await world.addFault(list, '--share', '10', '--seed', seed, '--status', '429')
      for (let n = 0; n < 3; n++)
        for (const name of ['sync-file', 'sync-postgres', 'sync-log']) {
          await world.named(name).kill()
          await waitFor(`${name} runs again`, () => world.named(name).said !== '')
        }
      await world.faults('clear')
      await watch.settle()
      return over
    },
  },
  {
    name: 'a sync stays down',
    check: 'copy',
    mayStep: true,
    async inject({ world, watch }) {
      await world.named('sync-file').stop()
      await watch.step(20 * MINUTE, 'copy')
      return async () => world.named('sync-file').start()
    },
  },
  {
    name: 'the listener is down',
    check: 'silent',
    mayStep: true,
    async inject({ world, watch, activity }) {
      // Nothing that `gaps` compares happens meanwhile, so that there is one fault and not two.
      const resume = await watch.quiet()
      await watch.settle()
      await world.named('listener').stop()
      await activity.redeemElsewhere()
      await watch.step(20 * MINUTE, 'silent')
      return async () => {
        world.named('listener').start()
        resume()
      }
    },
  },
  {
    name: 'the database restarts',
    check: null,
    async inject({ world, watch }) {
      const resume = await watch.quiet()
      await world.postgres.stop('SIGINT')
      await world.postgres.start()
      resume()
      await watch.settle()
      return over
    },
  },
  {
    name: 'the database is down',
    check: 'inbox',
    async inject({ world, watch }) {
      const resume = await watch.quiet()
      await world.postgres.stop('SIGQUIT')
      return async () => {
        await world.postgres.start()
        resume()
      }
    },
  },
  {
    name: 'the monitor is killed, and alerts are refused',
    check: 'service',
    isToldLater: true,
    async inject({ world }) {
      const { receivers } = world
      receivers.isOpen = false
      const clear = await broken(world, '*', '--status', '503')
      const refused = receivers.refused
      await waitFor('an alert is refused', () => receivers.refused > refused)
      await world.named('monitor').kill()
      return async () => {
        await clear()
        await waitFor('the service is well again', () => world.states().get('service')?.state === 'ok')
        receivers.isOpen = true
      }
    },
  },
]
