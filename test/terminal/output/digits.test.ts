import { expect, test } from 'vitest'
import { randomNumber, seededRandom } from '../../base/json/seeded.ts'
import { runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'

const MEMBERS = Array.from({ length: 12 }, (_, at) => `n${at}`)
const RECORDS = 400

/** Returns a list of bookings that contain random JSON numbers, whitespace and nested values. */
function answerOf(random: () => number) {
  const numbers = Array.from({ length: RECORDS }, () => MEMBERS.map(() => randomNumber(random)))
  const records = numbers.map((row, at) => {
    const members = row.map((number, index) => `"${MEMBERS[index]}":${at % 3 === 0 ? ' ' : ''}${number}`)
    return `{"bookingId":"BK-${at}","lastModifiedDate":"2026-10-01T00:00:00.000Z",${members.join(',')},"deep":{"er":[${row.join(',')}]}}`
  })
  return { numbers, records, body: `{"count":${RECORDS},"bookings":[${records.join(', ')}]}` }
}

test.each([1, 2, 3])('every output format preserves every digit of random numbers (seed %i)', async (seed) => {
  const { numbers, records, body } = answerOf(seededRandom(seed))
  const server = await startRawServer(() => answers(200, body))
  const list = async (...args: readonly string[]) => {
    const run = await runPartner(['bookings', 'list', '--from', 'today', ...args], { env: server.env })
    expect(run.code, run.stderr).toBe(0)
    return run.stdout
  }
  expect(await list('-o', 'ndjson')).toBe(records.map((record) => `${record}\n`).join(''))
  expect(await list('-o', 'json')).toBe(`[\n${records.join(',\n')}\n]\n`)
  const columns = ['--columns', MEMBERS.join(',')]
  const lines = (separator: string) => numbers.map((row) => `${row.join(separator)}\n`).join('')
  expect(await list('-o', 'csv', '--no-header', ...columns)).toBe(lines(','))
  expect(await list('-o', 'tsv', '--no-header', ...columns)).toBe(lines('\t'))
  const projected = numbers.map((row) => `{${row.map((number, at) => `"${MEMBERS[at]}":${number}`).join(',')}}\n`)
  expect(await list('-o', 'ndjson', ...columns)).toBe(projected.join(''))
  const [found] = JSON.stringify(await list('--query', '[].n3', '-r'))
    .split('"')
    .slice(1)
  expect(found?.split('\\n').slice(0, -1)).toEqual(numbers.map((row) => row[3]))
  const deep = await list('--query', '[].deep.er', '-o', 'ndjson')
  expect(deep).toBe(numbers.map((row) => `[${row.join(',')}]\n`).join(''))
})
