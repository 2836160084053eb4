import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory } from '../support/partner.ts'
import { startSharedSandbox } from '../support/sandbox-process.ts'
import { until } from '../support/until.ts'
import { ERAS } from './running/client.ts'
import { agentVenue, CARD, prepare } from './running/venue.ts'

const sandbox = await startSharedSandbox()

const MIB = 1024 * 1024

/** The maximum growth of the heap during 1,000 calls. A leak of the arguments or results would far exceed it. */
const MOST_GROWTH = 3 * MIB

test.each(ERAS)("the server's heap stays about the same size during 1,000 calls (%s protocol)", async (era) => {
  const directory = freshDirectory()
  const [preload, file] = [join(directory, 'preload.cjs'), join(directory, 'heap')]
  writeFileSync(
    preload,
    `process.on('SIGUSR2', () => { gc(); gc(); require('node:fs').writeFileSync(${JSON.stringify(file)}, process.memoryUsage().heapUsed + '\\n') })`,
  )
  const venue = await agentVenue(sandbox)
  const client = await venue.open({ era, flags: ['--allow', 'money'], node: ['--expose-gc', '--require', preload] })
  const handle = await prepare(client, '1.00')
  const calls = [
    ['bookings_list', { limit: 20 }],
    ['giftcards_get', { card: CARD }],
    ['customers_list', { limit: 5 }],
    ['money_status', { handle }],
    ['money_commit', { handle }],
    ['giftcards_get', { card: 5 }],
  ] as const
  const callMany = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const [name, values] = calls[at % calls.length] ?? calls[0]
      await client.call(name, values)
    }
  }
  const heap = async () => {
    rmSync(file, { force: true })
    client.running.process.kill('SIGUSR2')
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
    return Number(readFileSync(file, 'utf8'))
  }
  await callMany(200)
  const before = await heap()
  await callMany(1000)
  const grown = (await heap()) - before
  expect(grown, `${(grown / MIB).toFixed(1)} MiB`).toBeLessThan(MOST_GROWTH)
})
