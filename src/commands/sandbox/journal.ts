import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '../../base/json/exact.ts'
import { WireRecord } from '../../base/json/list/wire-record.ts'
import { findTarget, TARGET_FLAGS } from '../../features/sandbox/target.ts'
import { journalLine, journalList } from '../../features/sandbox/views/journal.ts'
import type { SandboxControl } from '../../sandbox/control/control.ts'
import { flag, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const LOOK_EVERY_MS = 200
const LATEST = 10

export default class SandboxJournal extends PartnerCommand {
  static override summary = 'Show all requests to the sandbox and why some were rejected.'
  static override description =
    'Keys, signatures and credentials are masked. -o json includes headers and the start of the request and response bodies. In a data directory, the journal starts over when it reaches 32 MiB; in memory, it keeps the last thousand requests.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --follow',
    "<%= config.bin %> <%= command.id %> --query '[?status >= `400`].{path: path, why: note}'",
  ]
  static override flags = {
    limit: flag('N', 'Show only the last N requests.'),
    follow: toggle('Show the last 10 requests, then new ones until interrupted.'),
    ...TARGET_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, show, host } = await this.open(SandboxJournal)
    const problems = new Problems()
    const limit = problems.wholeNumber('--limit', flags.limit, 0, 1_000_000)
    const follow = flags.follow === true
    if (follow && show.format === 'table' && show.columns)
      problems.add('--follow and --columns cannot be used together in a table', 'add -o csv, ndjson or json')
    const target = await findTarget(flags, host.env, problems)
    await target.use('to-read', async (control) => {
      const pages = pagesOf(control, limit ?? (follow ? LATEST : undefined), follow ? host.signal : null)
      if (!follow || show.format !== 'table') return show.list(textsOf(pages), journalList)
      const linesOf = (page: readonly JsonObject[]) => page.map((entry) => journalLine(entry, host.stdoutScreen))
      for await (const page of pages) await show.text(linesOf(page).join(''))
    })
  }
}

/**
 * Yields the whole journal, or only its last entries. With `until`, keeps yielding new entries until that signal is
 * aborted.
 */
async function* pagesOf(control: SandboxControl, latest: number | undefined, until: AbortSignal | null) {
  let cursor = 0
  let held: JsonObject[] = []
  for (;;) {
    const page = await control.readJournal(cursor)
    const entries = page.entries as unknown as readonly JsonObject[]
    if (latest === undefined) yield entries
    else held = latest === 0 ? [] : [...held, ...entries].slice(-latest)
    if (page.cursor === cursor) break
    cursor = page.cursor
  }
  if (held.length > 0) yield held
  while (until && !until.aborted) {
    const { entries, cursor: next } = await control.readJournal(cursor)
    cursor = next
    if (entries.length > 0) yield entries as unknown as readonly JsonObject[]
    else await pause(LOOK_EVERY_MS, undefined, { signal: until }).catch(() => undefined)
  }
}

async function* textsOf(pages: AsyncIterable<readonly JsonObject[]>): AsyncGenerator<readonly WireRecord[]> {
  for await (const page of pages) yield page.map(WireRecord.of)
}
