import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory } from '../support/partner.ts'
import { answers, startRawServer } from '../support/raw-server.ts'
import { startPartner } from '../support/running.ts'
import { sale } from './importing.ts'

/** Where a durable write costs little, if there is such a place: this is about memory. */
const QUICK = existsSync('/dev/shm') ? '/dev/shm' : undefined

const REPORT = `
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers)
  }
  setInterval(look, 20).unref()
  process.on('exit', () => { look(); require('node:fs').writeFileSync(process.env.MEMORY_REPORT, String(most)) })
`

async function fileOf(count: number, directory: string): Promise<string> {
  const file = join(directory, `${count}.ndjson`)
  const stream = createWriteStream(file)
  for (let at = 0; at < count; at++) stream.write(`${sale(`T-${at}`, { notes: 'n'.repeat(500) })}\n`)
  await once(stream.end(), 'close')
  return file
}

test('10,000 lines take no more memory than a few, checked or sent', { timeout: 240_000 }, async () => {
  const directory = freshDirectory(QUICK)
  const server = await startRawServer(() => answers(200, {}))
  const env = {
    PARTNER_CONFIG_DIR: join(directory, 'config'),
    PARTNER_DATA_DIR: join(directory, 'data'),
    PARTNER_CACHE_DIR: join(directory, 'cache'),
    ...server.env,
  }
  const memoryOf = async (count: number, ...args: readonly string[]): Promise<number> => {
    const report = join(directory, 'memory')
    const file = await fileOf(count, directory)
    const run = startPartner(['sales', 'import', file, ...args], {
      env: { ...env, MEMORY_REPORT: report },
      preload: REPORT,
      isService: true,
    })
    const ended = await run.ended
    expect(ended.code, ended.stderr).toBe(0)
    if (args.length === 0) expect(ended.stdout.split('\n')).toHaveLength(count + 1)
    return Number((await import('node:fs')).readFileSync(report, 'utf8'))
  }
  const MIB = 1024 * 1024
  expect(await memoryOf(200_000, '--dry-run')).toBeLessThan((await memoryOf(1_000, '--dry-run')) + 40 * MIB)
  const few = await memoryOf(500)
  expect(await memoryOf(10_000)).toBeLessThan(few + 40 * MIB)
  expect(server.requests).toHaveLength(10_500)
})
