import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { outputOf } from '../../../scripts/build/surface/outputs.ts'
import { EXIT_CODES } from '../../../src/base/failure/exit-codes.ts'
import { parseJsonOrNull } from '../../../src/base/json/parse.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { manifestCommands } from '../../support/distribution.ts'
import { freshHome, ROOT, runPartner } from '../../support/partner.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { type DayRun, runDay } from './day.ts'
import { NOT_IN_DAY } from './lines.ts'

interface Command {
  readonly id: string
  readonly topic: string | null
  readonly summary: string
  readonly flags: readonly { readonly name: string; readonly global: boolean }[]
  readonly args: readonly { readonly name: string; readonly required: boolean }[]
  readonly exitCodes: readonly number[]
  readonly writes: 'none' | 'booking' | 'money'
  readonly output: 'json' | 'lines' | 'text' | 'nothing'
  readonly outputSchema: Readonly<Record<string, unknown>>
}

let commands: readonly Command[]
beforeAll(async () => {
  const run = await runPartner(['commands', '--json'])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  commands = JSON.parse(run.stdout)
})

describe('partner commands', () => {
  test('partner commands --json lists each command of the manifest with its flags, arguments and summary', () => {
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
    const shown = commands.map(({ id, summary, flags, args }) => [id, summary, names(flags), names(args)])
    const known = manifestCommands().filter(({ hidden }) => !hidden)
    expect(shown).toEqual(
      known.map((one) => [one.words, one.summary, Object.keys(one.flags).sort(), names(Object.values(one.args))]),
    )
  })

  test('partner commands prints a table and accepts --columns and --query like any other list', async () => {
    const env = freshHome()
    const { stdout } = await runPartner(['commands'], { env })
    expect(stdout).toMatch(/^TOPIC +COMMAND +SUMMARY +WRITES$/m)
    expect(stdout).toMatch(/^giftcards +giftcards redeem +Redeem an amount .+ money$/m)
    const query = ['commands', '--query', "[?writes=='money'].id", '-r']
    expect((await runPartner(query, { env })).stdout.split('\n')).toContain('sales import')
    const csv = await runPartner(['commands', '-o', 'csv', '--columns', 'id,writes'], { env })
    expect(csv.stdout).toMatch(/^bookings list,none\r?$/m)
  })

  test('every listed exit code is documented, and every command lists 0, 1, 2 and 130', () => {
    const all = new Set<number>([0, ...Object.values(EXIT_CODES)])
    for (const { id, exitCodes } of commands) {
      expect(all, id).toEqual(new Set([...all, ...exitCodes]))
      expect(exitCodes, id).toEqual(expect.arrayContaining([0, 1, 2, 130]))
      expect(exitCodes, id).toEqual([...exitCodes].sort((a, b) => a - b))
    }
  })

  test('exit code 9 (outcome unknown) is listed only for commands that write and for operations resolve', () => {
    const reads = commands.filter(({ writes, id }) => writes === 'none' && id !== 'operations resolve')
    expect(reads.filter(({ exitCodes }) => exitCodes.includes(9)).map(({ id }) => id)).toEqual([])
    // mcp is excluded because its tools report their own outcomes.
    const changes = commands.filter(({ writes, id }) => writes !== 'none' && id !== 'mcp')
    expect(changes.filter(({ exitCodes }) => !exitCodes.includes(9)).map(({ id }) => id)).toEqual([])
  })

  test('no command lists an exit code that it cannot return', () => {
    const ending = (code: number) => commands.filter(({ exitCodes }) => exitCodes.includes(code)).map(({ id }) => id)
    const has = (id: string, flag: string) =>
      commands.find((one) => one.id === id)?.flags.some(({ name }) => name === flag) === true
    const calls = (id: string) => has(id, 'retries') && id !== 'config'
    // Only a command that calls a service can report a conflict (6) or too many requests (7).
    expect([...ending(6), ...ending(7)].filter((id) => !calls(id))).toEqual([])
    for (const [code, may] of [
      [3, /^(?:operations (?:approve|show)|sandbox|webhooks)/],
      [5, / sync status$|^report night$|^sandbox rehearse$|^(?:certify|sign) verify$|^webhooks/],
      [8, / sync status$|^report night$|^sandbox|^webhooks|^operations/],
    ] as const)
      expect(ending(code).filter((id) => !calls(id) && !may.test(id))).toEqual([])
    // A command that neither uses nor changes a profile cannot report a missing profile (4).
    const asks = (id: string) => ['profile', 'profiles', 'security-key'].some((flag) => has(id, flag))
    expect(ending(4).filter((id) => !asks(id) && !/^profiles /.test(id))).toEqual([])
    // Of the commands that do not write, only two can report that a request was not applied (10).
    const reads = new Set(commands.filter(({ writes }) => writes === 'none').map(({ id }) => id))
    expect(ending(10).filter((id) => reads.has(id))).toEqual(['inbound balance', 'operations resolve'])
    // Exit code 11 means that some items, such as venues, failed.
    expect(commands.filter(({ id, exitCodes }) => has(id, 'jobs') && !exitCodes.includes(11))).toEqual([])
    expect(ending(11).filter((id) => !has(id, 'jobs'))).toEqual([
      ...['certify', 'customers unsubscribe', 'monitor test', 'sales import', 'sandbox rehearse', 'webhooks apply'],
      ...['webhooks gaps', 'webhooks inbox', 'webhooks replay', 'webhooks torture', 'webhooks work'],
    ])
    const locks = /^(?:drift|profiles|report|timeline)\b| sync\b|^(?:sales (?:import|reconcile)|webhooks)/
    const others = ['customers unsubscribe', 'giftcards statement', 'monitor', 'sandbox rehearse']
    expect(ending(12).filter((id) => !locks.test(id))).toEqual(others)
    const codesOf = (id: string) => commands.find((one) => one.id === id)?.exitCodes
    for (const id of ['api spec', 'commands', 'completion', 'operations list', 'profiles list', 'sandbox seed'])
      expect(
        codesOf(id)?.filter((code) => code > 2 && code !== 8),
        id,
      ).toEqual([13, 130])
    expect(codesOf('doctor')).toEqual([0, 1, 2, 4, 11, 13, 130])
  })

  test('a command named after an endpoint declares the same kind of write as the endpoint', () => {
    for (const endpoint of Object.values(ENDPOINTS)) {
      const command = commands.find(({ id }) => id === endpoint.id.replace('.', ' '))
      if (command === undefined) continue
      const writes = endpoint.write === 'money' ? 'money' : endpoint.write === 'none' ? 'none' : 'booking'
      expect(command.writes, command.id).toBe(writes)
    }
  })
})

test('in a sandbox, the output, exit code and writes of each command match its entry in the command list', {
  timeout: 300_000,
}, async () => {
  const day = await runDay(commands.map(({ id }) => id))
  const run = new Set(day.map(({ id }) => id))
  const missing = commands.filter(({ id }) => !run.has(id) && !(id in NOT_IN_DAY)).map(({ id }) => id)
  expect.soft(missing, 'commands that no line runs').toEqual([])
  const done = new Set(day.filter(({ code, stdout }) => code === 0 || stdout !== '').map(({ id }) => id))
  const mute = [...run].filter((id) => !done.has(id))
  expect.soft(mute, 'commands that never succeeded or printed anything').toEqual([])
  const mistakes = day.flatMap(({ id, line, stdout }) => schemaViolations(id, stdout).map((one) => `${line}: ${one}`))
  expect.soft(mistakes, 'output that does not match its schema').toEqual([])
  expect.soft(day.flatMap(findMisorderedMembers), 'members in another order than in the schema').toEqual([])
  expect.soft(day.filter(hasUnlistedExitCode), 'exit codes that are not listed').toEqual([])
  expect.soft([...new Set(day.map(({ code }) => code))].sort()).toEqual([0, 10, 11, 3, 4, 5, 6, 9])
  const worst = Map.groupBy(day, ({ id }) => id)
  const changed = [...worst].map(([id, lines]) => [id, worstOf(lines.flatMap(({ endpoints }) => endpoints))])
  // `api` counts as a money write because it can send any request, but here it only changes a booking.
  const said = commands.map(({ id, writes }) => [id, id === 'api' ? 'booking' : writes] as const)
  expect.soft(changed.sort()).toEqual(said.filter(([id]) => worst.has(id)).sort())
})

function worstOf(endpoints: readonly string[]): Command['writes'] {
  const writes = Object.values(ENDPOINTS).flatMap(({ id, write }) => (endpoints.includes(id) ? [write] : []))
  if (writes.includes('money')) return 'money'
  return writes.every((write) => write === 'none') ? 'none' : 'booking'
}

function hasUnlistedExitCode({ id, code }: DayRun): boolean {
  return !commands.find((command) => command.id === id)?.exitCodes.includes(code ?? -1)
}

/** Returns a message if the members of the first printed object are not in schema order. */
function findMisorderedMembers({ id, line, stdout }: DayRun): string[] {
  const { output, outputSchema } = commands.find((command) => command.id === id) ?? {}
  if (output !== 'json' || stdout === '' || !outputOf(id)?.isOwn) return []
  const { items, properties = items?.properties } = outputSchema as {
    readonly properties?: object
    readonly items?: { readonly properties?: object }
  }
  const order = Object.keys(properties ?? {})
  const parsed: unknown = parseJsonOrNull(stdout) ?? parseJsonOrNull(stdout.split('\n')[0] ?? '')
  const [first] = (Array.isArray(parsed) ? parsed : [parsed]) as Readonly<Record<string, unknown>>[]
  const names = Object.keys(first ?? {}).filter((name) => order.includes(name))
  return names.join() === order.filter((name) => names.includes(name)).join() ? [] : [`${line}: ${names}; ${order}`]
}

test('the files in docs/schemas match the schemas that partner commands prints', () => {
  const folder = join(ROOT, 'docs', 'schemas')
  expect(readdirSync(folder).sort()).toEqual(commands.map(({ id }) => `${id.replaceAll(' ', '-')}.json`).sort())
  for (const { id, outputSchema } of commands) {
    const path = join(folder, `${id.replaceAll(' ', '-')}.json`)
    expect(existsSync(path) && JSON.parse(readFileSync(path, 'utf8')), id).toEqual(outputSchema)
  }
})
