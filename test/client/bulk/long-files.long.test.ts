import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDirectory } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { startPartner } from '../../support/running.ts'
import { sale } from './importing.ts'

/** An in-memory directory if there is one, so that the test does not depend on the speed of the disk. */
const QUICK = existsSync('/dev/shm') ? '/dev/shm' : undefined

/** The number of lines in the file, whose size is fixed. `PARTNER_LINES` overrides it. */
const LINES = Number(process.env['PARTNER_LINES'] ?? 600)
const FILE_BYTES = 66_000_000

/** Limits Node's heap to 60 MB, which is less than the size of the file. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=60' }

async function fileOf(count: number, directory: string): Promise<string> {
  const file = join(directory, `${count}.ndjson`)
  const stream = createWriteStream(file)
  const notes = 'n'.repeat(FILE_BYTES / count)
  for (let at = 0; at < count; at++) if (!stream.write(`${sale(`T-${at}`, { notes })}\n`)) await once(stream, 'drain')
  await once(stream.end(), 'close')
  return file
}

test('sales import can check and send a file that is larger than the heap', {
  timeout: 240_000 + LINES * 50,
}, async () => {
  const directory = freshDirectory(QUICK)
  let sent = 0
  const server = await startRawServer(() => {
    sent++
    return answers(200, {})
  })
  const env = {
    PARTNER_CONFIG_DIR: join(directory, 'config'),
    PARTNER_DATA_DIR: join(directory, 'data'),
    PARTNER_CACHE_DIR: join(directory, 'cache'),
    ...server.env,
    ...SMALL_HEAP,
  }
  const file = await fileOf(LINES, directory)
  const checked = await startPartner(['sales', 'import', file, '--dry-run'], { env, isService: true }).ended
  expect(checked, checked.stderr).toMatchObject({ code: 0 })
  const run = await startPartner(['sales', 'import', file], { env, isService: true }).ended
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout.split('\n')).toHaveLength(LINES + 1)
  expect(sent).toBe(LINES)
  const again = await startPartner(['sales', 'import', file], { env, isService: true }).ended
  expect(again.code, again.stderr).toBe(0)
  expect(sent).toBe(LINES)
})
