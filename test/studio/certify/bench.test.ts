import { expect, test } from 'vitest'
import { SANDBOX_KEYS, SIGNING_SECRET } from '../../../src/sandbox/credentials.ts'
import { Evidence } from '../../../src/studio/certify/bench/evidence.ts'
import type { Item } from '../../../src/studio/certify/certify.ts'
import { CHECKLIST } from '../../../src/studio/certify/items/checklist.ts'
import { certificationOf, program } from './candidate.ts'

const itemThat = (check: Item['check']): Item => ({ id: 'a', name: 'A', mend: 'M.', check })

const polls = itemThat(async (bench) => void (await bench.mustSucceed({ do: 'poll' })))

test.each([
  ['exit 3', /^poll must exit with code 0, but exited with code 3$/],
  ['echo why not >&2; exit 1', /exited with code 1: why not$/],
  ['kill -9 $$', /was killed by a signal$/],
  ['no-such-program-at-all', /exited with code 127: .*not found/],
])('certify reports how a failed step ended and what it printed last: %s', async (run, words) => {
  const { item, findings } = await certificationOf(run).try(polls)
  expect([item.status, findings]).toEqual(['failed', [expect.stringMatching(words)]])
})

test('certify kills a step that exceeds its time limit, together with its child processes', async () => {
  const { findings } = await certificationOf('sleep 600 & sleep 600', { stepMs: 300 }).try(polls)
  expect(findings).toEqual(['poll must exit with code 0, but took too long'])
})

test('certify gives each step its task on standard input and the path of the copy in CERTIFY_COPY', async () => {
  const run = program(`
      import { existsSync, writeFileSync } from 'node:fs'
      let line = ''
      for await (const chunk of process.stdin) line += chunk
      if (line !== '{"do":"poll"}\\n' || existsSync(process.env.CERTIFY_COPY)) process.exit(1)
      writeFileSync(process.env.CERTIFY_COPY, '{"bookingId":"B","people":1}\\nbroken\\n{"bookingId":"B","people":2}')`)
  const copied = itemThat(async (bench) => {
    await bench.mustSucceed({ do: 'poll' })
    if (bench.copy.get('B')?.['people'] !== 2) bench.finding('no copy')
  })
  expect((await certificationOf(run).try(copied)).findings).toEqual([])
})

test('aborting a certification stops the running step', async () => {
  const stopped = new AbortController()
  const trying = certificationOf('sleep 600', { signal: stopped.signal }).try(polls)
  setTimeout(() => stopped.abort(new Error('stopped')), 50)
  await expect(trying).rejects.toThrow('stopped')
})

const entry = (query: string) => ({
  ...{
    at: '2026-11-20T03:31:33.000Z',
    method: 'GET',
    path: '/Bookings',
    query,
    endpoint: 'bookings.list',
    status: 200,
  },
  ...{ ms: 1, note: null, faults: [], request: { headers: {}, body: null }, response: { body: null } },
})

test('the evidence contains no key or secret, not even in an encoded form', () => {
  const evidence = new Evidence()
  evidence.addSecret('certify-key-1')
  evidence.noteRequest(entry(`key=${SANDBOX_KEYS.good}&b=${encodeURIComponent(SIGNING_SECRET)}`))
  evidence.note('step', 0, `it said certify-key-1 and ${SANDBOX_KEYS.good}`)
  expect(JSON.stringify(evidence.rows)).not.toMatch(/sandbox_key|sandbox_signing|certify-key-1/)
})

test('the evidence lists only the first 40 requests and counts the rest', () => {
  const evidence = new Evidence()
  for (let at = 0; at < 500; at++) evidence.noteRequest(entry(''))
  expect(evidence.rows).toHaveLength(41)
  expect(evidence.rows.at(-1)).toMatchObject({ kind: 'request', text: '460 more requests are not listed' })
})

test('an integration that does nothing passes no checklist item', async () => {
  const ids: string[] = []
  const certification = certificationOf('true')
  for (const item of CHECKLIST.filter(({ id }) => !/webhooks|credentials|limit|backs|polls/.test(id)))
    if ((await certification.try(item)).item.status === 'passed') ids.push(item.id)
  expect(ids).toEqual([])
})
