import type { KeyObject } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../../base/failure/failure.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import { discard } from '../../../base/storage/rename-remove.ts'
import type { Item, TriedItem } from '../../../studio/certify/certify.ts'
import { makeKey, readPrivateKey, signResult } from '../../../studio/certify/result/signed.ts'
import { formatOf, reportFormatOf } from '../../../terminal/input/command-line.ts'
import { type FlagValues, flag, repeated, toggle } from '../../../terminal/input/flags.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { checkShellCommand } from '../../../terminal/input/values/shell-command.ts'
import { genericCardView } from '../../../terminal/render/generic-views.ts'
import { environmentOfChild } from '../../../terminal/runtime/child/child-environment.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { buildDirectoryVariables, buildEnvironment } from '../serving.ts'
import { checkOutputPath, chooseItems, readKeyText, readText } from './input.ts'
import { itemList, knownItemList } from './views.ts'

/** The time limit for each step, in milliseconds. */
const STEP_MS = 60_000
/** The time limit for the integration's server to start listening, in milliseconds. */
const READY_MS = 15_000

export const CERTIFY_FLAGS = {
  run: flag('CMD', 'The shell command that runs the integration, started once for each step.'),
  out: flag('FILE', 'Also write the signed result to FILE as JSON.'),
  name: flag('TEXT', 'The name of the integration, which is included in the result.'),
  only: repeated({ helpValue: 'ID,…', summary: 'Test only these items. May be repeated.' }),
  items: repeated({ helpValue: 'FILE', summary: 'Also test the items in this YAML file. May be repeated.' }),
  'sign-with': flag('file:PATH', 'Sign with this Ed25519 private key in PEM format (default: a new key for this run).'),
  list: toggle('List the items instead of testing them.'),
} as const

type OpenedCertify = Opened<FlagValues<typeof CERTIFY_FLAGS>, object>

/**
 * Tests an integration, or lists the items with `--list`. Throws PARTIAL_FAILURE if items failed. Also throws a
 * USAGE error that lists all problems.
 */
export async function certify(opened: OpenedCertify): Promise<void> {
  const { flags, show } = opened
  const problems = new Problems()
  if (!flags.list) checkRun(flags, problems)
  else if (flags.output !== undefined && formatOf(flags) === undefined)
    problems.add(`--list cannot be used together with -o ${flags.output}`, 'omit one of them')
  const { out } = flags
  if (out !== undefined) problems.check(() => checkOutputPath(out, flags.yes === true))
  const key = await problems.checkAsync(() => readKey(flags['sign-with']))
  const items = chooseItems(await readItems(flags.items ?? [], problems), flags.only ?? [], problems)
  problems.throwIfAny('see partner certify --help; nothing was started')
  const known = items.map(({ id, name, mend }) => ({ id, name, mend }))
  if (flags.list) return show.all(known, knownItemList)
  await testItems(opened, items, problems.valueOrThrow(key))
}

function checkRun({ run }: OpenedCertify['flags'], problems: Problems): void {
  const hint = "for example --run 'node integration.mjs'; to list the items: partner certify --list"
  if (run === undefined) problems.add('--run is required: it is the command that runs the integration', hint)
  checkShellCommand(run, '--run', problems, hint)
}

async function readKey(reference: string | undefined): Promise<KeyObject> {
  if (reference === undefined) return makeKey()
  return readPrivateKey(await readKeyText(reference, '--sign-with'), '--sign-with')
}

/** Returns the checklist's items, followed by the items from the given files. Adds a problem for each invalid file. */
async function readItems(files: readonly string[], problems: Problems): Promise<readonly Item[]> {
  const { CHECKLIST } = await import('../../../studio/certify/items/checklist.ts')
  const items: Item[] = [...CHECKLIST]
  if (files.length === 0) return items
  const { readCustomItems } = await import('../../../studio/certify/own/read.ts')
  for (const file of files) {
    const taken = items.map(({ id }) => id)
    const own = await problems.checkAsync(async () => readCustomItems(await readText(file, '--items'), file, taken))
    items.push(...(own ?? []))
  }
  return items
}

async function testItems(opened: OpenedCertify, items: readonly Item[], key: KeyObject): Promise<void> {
  const { flags, host, show, say } = opened
  const { Certification } = await import('../../../studio/certify/certify.ts')
  const env = await environmentOfChild(host)
  const files = mkdtempSync(join(tmpdir(), 'partner-certify-'))
  const certification = new Certification({
    run: flags.run ?? '',
    variables: (facts) => ({ ...buildDirectoryVariables(files), ...buildEnvironment(facts, env) }),
    ...{ stepMs: STEP_MS, readyMs: READY_MS, signal: host.signal },
  })
  const tried: TriedItem[] = []
  const tryEach = async function* () {
    for (const item of items) {
      const over = host.waiting.begin(`${tried.length + 1} of ${items.length}: ${item.name}`)
      const one = await certification.try(item).finally(over)
      tried.push(one)
      yield one
    }
  }
  try {
    await streamResults(opened, tryEach())
  } finally {
    discard(files)
  }
  const madeAt = new Date(host.now()).toISOString()
  const made = { version: 1, name: flags.name ?? null, madeAt, madeBy: `partner ${host.version}` } as const
  const text = signResult({ ...made, items: tried.map(({ item }) => item), journal: certification.journal }, key)
  if (flags.out !== undefined) {
    const { writeFileDurably } = await import('../../../base/storage/durable-write.ts')
    writeFileDurably(flags.out, text, 0o644)
    await say(`wrote ${flags.out}; verify it with partner certify verify`)
  }
  if (flags.output === 'html') await show.text((await import('./page.ts')).certifiedPage(text))
  else if (show.isQueried || (show.format === 'json' && show.columns !== null))
    await show.one(JSON.parse(text), { card: genericCardView, list: itemList })
  else if (show.format === 'json') await show.text(text)
  const failed = tried.filter(({ item }) => item.status === 'failed')
  if (failed.length > 0) throw createItemsFailure(failed, tried.length)
}

/**
 * Prints a table row or a test report entry for each item as it finishes. For other formats, only waits until all items
 * are finished.
 */
async function streamResults({ flags, show }: OpenedCertify, tried: AsyncGenerator<TriedItem>) {
  const format = reportFormatOf(flags)
  if (format !== null) {
    const { openCheckReport } = await import('../../../terminal/render/formats/check-report.ts')
    const report = openCheckReport(format, 'certify', 'how to fix it:')
    for await (const { item, findings, ms } of tried) {
      const result = item.status === 'passed' ? 'ok' : 'fail'
      const yours = result === 'ok' ? item.name : findings.join('; ')
      await show.text(report.write({ check: item.id, result, good: item.mend, yours, ms }))
    }
    return show.text(report.end())
  }
  if (flags.output === 'html' || show.format === 'json' || show.isQueried) {
    for await (const _ of tried);
    return
  }
  const rows = async function* () {
    for await (const { item } of tried) yield [WireRecord.of(JSON.parse(JSON.stringify(item)))]
  }
  await show.list(rows(), itemList)
}

function createItemsFailure(failed: readonly TriedItem[], of: number): Failure {
  const ids = failed.map(({ item }) => item.id)
  return new Failure('PARTIAL_FAILURE', `${failed.length} of ${of} items failed: ${ids.join(', ')}`, {
    lines: [...Map.groupBy(failed, ({ item }) => item.mend)].flatMap(([mend, items]) => [
      ...formatFindings(items),
      `how to fix ${items.length === 1 ? 'it' : 'them'}: ${mend}`,
    ]),
    hint: 'to keep the evidence, add --out FILE or -o html; docs/integration contains an integration that passes',
    guide: 'certify',
    details: { failed: ids, of },
  })
}

/** Returns one line for each finding, with the IDs of all items that have the finding. */
function formatFindings(failed: readonly TriedItem[]): string[] {
  const all = failed.flatMap(({ item, findings }) => findings.map((finding) => ({ id: item.id, finding })))
  return [...Map.groupBy(all, ({ finding }) => finding)].map(
    ([finding, items]) => `${items.map(({ id }) => id).join(', ')}: ${finding}`,
  )
}
