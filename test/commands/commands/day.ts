import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { API_PAIRS } from '../../support/api-page.ts'
import { freshDirectory, freshHome, type Run, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { readPlainLine } from '../../support/words.ts'
import { DAY } from './lines.ts'

/** One command line, its result, and the sandbox endpoints that it called. */
export interface DayRun extends Run {
  readonly line: string
  readonly id: string
  readonly endpoints: readonly string[]
}

const SALE = {
  ...{ origin: { saleId: 'S-2' }, source: { type: 'pos' }, type: 'SALE', staff: { id: 'anna' }, table: { seats: 2 } },
  ...{ openedZonedDateTime: '2026-11-20T10:00:00+11:00', total: { amount: 1250, currency: 'AUD' } },
}

/**
 * Runs all lines with `--json`, one after another, on a new sandbox. Then does the same with the lines in docs/api.md
 * whose commands have not run yet.
 */
export async function runDay(ids: readonly string[]): Promise<readonly DayRun[]> {
  const receiver = await startRawServer(() => answers(200))
  const cwd = freshDirectory()
  const home = freshHome()
  const env = { ...home, PARTNER_PROFILE: 'sandbox', HOOK_KEY: 'hook-key-0815', HOOK_TOKEN: 'hook-token-0815' }
  const body = Buffer.from('{"eventType":"BOOKING_UPDATED","data":{"bookingId":"BK-1001"}}')
  writeFileSync(join(cwd, 'hooks.ndjson'), deliveryLine({ timeMs: Date.now(), headers: {}, body, verdict: 'new' }))
  const refund = { ...SALE, origin: { saleId: 'S-3' }, type: 'REFUND', total: { amount: -1250, currency: 'AUD' } }
  const sales = [SALE, refund, { ...SALE, origin: { saleId: 'S-4' }, total: undefined }, {}]
  writeFileSync(join(cwd, 'sales.ndjson'), `${sales.map((sale) => JSON.stringify(sale)).join('\n')}\n`)
  const known = new Map([
    ['RECEIVER', `${receiver.baseUrl}/hooks`],
    ['JOURNAL', 'hooks.ndjson'],
  ])
  const called = journalReader(join(home.PARTNER_DATA_DIR, 'sandbox', 'journal.ndjson'))
  const commandOf = (words: readonly string[]) =>
    ids.filter((id) => `${words.join(' ')} `.startsWith(`${id} `)).sort((a, b) => b.length - a.length)[0] ?? ''
  const lived: DayRun[] = []
  const inDay = new Set(DAY.map((line) => commandOf(line.split(' '))))
  const others = API_PAIRS.map(({ command }) => command.slice('partner '.length))
  for (const line of [...DAY, ...others.filter((line) => !inDay.has(commandOf(line.split(' '))))]) {
    const words = readPlainLine(`partner ${line}`)?.args.map((word) => known.get(word) ?? word)
    if (words === undefined) throw new Error(`the line needs a real shell: ${line}`)
    const run = await runPartner(words.includes('--') ? words : [...words, '--json'], { env, cwd })
    lived.push({ line, id: commandOf(words), endpoints: called(), ...run })
    const operation = /op_\w+/.exec(run.stderr)?.[0]
    if (operation !== undefined) known.set('OPERATION', operation)
    const signature = /"signature":"(\w+)"/.exec(run.stdout)?.[1]
    if (signature !== undefined) known.set('SIGNATURE', signature)
  }
  return lived
}

/** Returns a function that reads the endpoints requested since the previous call from the sandbox's journal. */
function journalReader(path: string): () => readonly string[] {
  let read = 0
  return () => {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
    const fresh = lines.slice(Math.min(read, lines.length))
    read = lines.length
    return fresh.flatMap((line) => (JSON.parse(line) as { readonly endpoint: string | null }).endpoint ?? [])
  }
}
