import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endsWithTheService } from '../../scripts/build/surface/exit-codes.ts'
import { forEachConcurrently } from '../money/chance.ts'
import { declaredCommands } from '../support/declared-exits.ts'
import { freshDirectory, freshHome, ROOT, runPartner } from '../support/partner.ts'
import { type Act, answers, RAW_KEY, type RawRequest, startRawServer } from '../support/raw-server.ts'
import { words } from '../support/words.ts'
import { everyCommand, type RunnableCommand } from './every-command.ts'

// In every test, `runPartner` checks that a command exits only with codes that it declares. This test checks that every
// declared code that depends on the service can actually occur.

/** Commands that call the service but cannot be tested here, with the reason and the tests that cover them. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'operations resolve': 'it needs an open operation: test/commands/operations',
}

/** Declared exit codes that a single response from the service cannot cause. */
const OTHER_CAUSES: Readonly<Record<string, readonly number[]>> = {
  // test/commands/sales covers exit code 5 (a redirect while a row is sent) and exit code 9 (an interrupt).
  'sales import': [5, 9],
  // test/commands/webhooks covers exit code 9 (an interrupt).
  'webhooks apply': [9],
}

/** The service's responses, ordered by the exit codes that they cause. */
const RESPONSES: readonly Act[] = [
  ...[404, 400, 409, 429, 500].map((status) => answers(status, { message: 'no' })),
  answers(200, { isSuccess: false }),
]

const SALE = `{"origin":{"saleId":"S-1"},"source":{"type":"pos"},"type":"SALE","openedZonedDateTime":"2026-11-20T10:00:00+11:00","staff":{"id":"a"},"table":{"seats":2},"total":{"amount":5,"currency":"AUD"}}\n`

const CARD = { cardNumber: 'GIFT1-00000100-AAAA', remainingAmount: 100, status: 'Active' }

/** Responds with success to the requests that a command sends before the request under test. */
function answerSetup({ target }: RawRequest): Act {
  if (target.includes('statuses')) return answers(200, [{ statusType: 'standard', code: 'SEATED', name: 'Seated' }])
  if (/Bookings\/\w/.test(target)) return answers(200, { bookingId: 'BK-1', bookingTime: '2026-12-01T18:00:00' })
  return answers(200, target.includes('Webhooks') ? [] : { ...CARD, bookings: [], items: [], length: 0 })
}

/**
 * Sets up a service that a test controls, a profile for it, and the local copy and the sales file that some commands
 * need.
 */
async function shop() {
  const service = { act: answerSetup as (request: RawRequest) => Act }
  const server = await startRawServer((request) => service.act(request))
  const cwd = freshDirectory()
  const env = { ...freshHome(), HOOK_KEY: 'hook-key-0815', HOOK_TOKEN: 'hook-token-0815', SIGN: 'signing-secret-0815' }
  const settings = `--partner-name pos --signature-header X-Sign --location-id loc-1 --timezone Australia/Sydney --signing-secret env:SIGN --api-key-stdin`
  for (const profile of [`shop --base-url ${server.baseUrl}`, 'gone --base-url http://127.0.0.1:1']) {
    const add = words(`profiles add ${profile} ${settings}`)
    expect(await runPartner(add, { env, input: RAW_KEY })).toMatchObject({ code: 0 })
  }
  expect(await runPartner(words('bookings sync --to b.ndjson --profile shop'), { env, cwd })).toMatchObject({ code: 0 })
  writeFileSync(join(cwd, 'X-1'), SALE)
  let runs = 0
  const run = async ({ id, args, flags }: RunnableCommand, profile: string) => {
    // Give each run its own data directory, because rate limits and open operations of earlier runs would affect it.
    const data = join(cwd, `data-${runs++}`)
    const own = { ...env, PARTNER_DATA_DIR: data, PARTNER_PROFILE: profile }
    const yes = flags.has('yes') ? ['--yes'] : []
    const journal = id === 'sales import' ? ['--journal', `${data}.journal`] : []
    return (await runPartner([...args, ...yes, ...journal, '--retries', '0', '--json'], { env: own, cwd })).code ?? -1
  }
  return { run, service }
}

/** By default, the test covers only every third command. CI covers all of them, which takes about 15 seconds. */
const STEP = process.env['PARTNER_EXIT_CODES'] === 'all' ? 1 : 3

const COMMANDS = everyCommand()
  .filter(({ id, flags }) => endsWithTheService({ id, flags: [...flags] }) && !(id in TESTED_ELSEWHERE))
  .filter((_, at) => at % STEP === 0)

test("each command can exit with every code that it declares for the service's responses", {
  timeout: 240_000,
}, async () => {
  const commands = declaredCommands(ROOT)
  // webhooks apply counts as a read here: it reports failed writes as rows and fails only if it cannot read the list.
  const reads = ({ id }: RunnableCommand) => commands.get(id)?.writes === 'none' || id === 'webhooks apply'
  const writes = (command: RunnableCommand) => !reads(command)
  const { run, service } = await shop()
  const seen = new Map(COMMANDS.map(({ id }) => [id, new Set<number>()]))
  const sweep = (profile: string, some: readonly RunnableCommand[]) =>
    forEachConcurrently(some, 2, async (command) => {
      seen.get(command.id)?.add(await run(command, profile))
    })
  await sweep('nobody', COMMANDS)
  await sweep('gone', COMMANDS.filter(writes))
  for (const act of RESPONSES) {
    service.act = () => act
    await sweep('shop', COMMANDS.filter(reads))
    service.act = (request) =>
      request.method === 'GET' || request.target.endsWith('/balance') ? answerSetup(request) : act
    await sweep('shop', COMMANDS.filter(writes))
  }
  const serviceCodes = [3, 4, 5, 6, 7, 8, 9, 10]
  const never = COMMANDS.flatMap(({ id }) => {
    const declared = (commands.get(id)?.exitCodes ?? []).filter((code) => serviceCodes.includes(code))
    const unseen = declared.filter((code) => !seen.get(id)?.has(code) && !OTHER_CAUSES[id]?.includes(code))
    return unseen.map((code) => `${id}: ${code}`)
  })
  expect(never).toEqual([])
})
