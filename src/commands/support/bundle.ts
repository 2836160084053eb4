import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { usageFailure } from '../../base/failure/failure.ts'
import { writeFileDurably } from '../../base/storage/durable-write.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { checkPlace } from '../../features/shared/place.ts'
import { pack, usualName } from '../../features/support/bundle/archive.ts'
import type { KeptDelivery } from '../../features/support/bundle/door/delivery.ts'
import { type GivenEntry, readHar } from '../../features/support/bundle/given/har.ts'
import { makeBundle, README } from '../../features/support/bundle/make.ts'
import {
  type Here,
  isInSpan,
  journalPart,
  partsOfTheService,
  partsOfThisMachine,
  secretsHere,
  settingsHere,
  TrafficRecorder,
  trafficPart,
} from '../../features/support/bundle/parts.ts'
import { bundleCard, bundleList, bundlePlanList } from '../../features/support/bundle/views.ts'
import { flag, READING_FLAGS, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { keptDeliveries } from '../../webhooks/gaps/source.ts'

const STDOUT = '-'

export default class SupportBundle extends PartnerCommand {
  static override summary = 'Collect what support needs to see in one file, without guests and secrets.'
  static override description =
    `The zip holds what the doctor and drift find, the settings, the open money writes and the traffic of these reads; with --har and --journal also what you recorded. Guests get pseudonyms: the same guest the same one throughout, and nobody can turn them back. Free text is dropped. Nothing is sent anywhere but to the service, which is only read.

Before it is written, all of it is searched for secrets, e-mail addresses, phone and card numbers. If one is left, nothing is written, and the exit code is 1. A part that cannot be collected, because the service is down, is left out and named; the exit code is 0. Look through the file before you send it.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --list',
    '<%= config.bin %> customers list --limit 5 --har seen.har && <%= config.bin %> <%= command.id %> --last 1h --har seen.har --out bundle.zip',
  ]
  static override baseFlags = READING_FLAGS
  static override flags = {
    last: flag('DUR', 'Only operations, deliveries and recorded traffic of this span, such as 1h.'),
    out: flag('FILE', 'Where to write it (default: partner-support-DAY-TIME.zip here; -: to stdout).'),
    har: repeated({
      helpValue: 'FILE',
      summary: 'Traffic to take in, that --har of a command wrote. May be repeated.',
    }),
    journal: repeated({ helpValue: 'FILE', summary: 'Deliveries to take in, of webhooks listen. May be repeated.' }),
    list: toggle('Show what would go in, and collect nothing.'),
  }

  async run(): Promise<void> {
    const opened = await this.open(SupportBundle)
    const { flags, host, show, say } = opened
    const madeMs = host.now()
    const problems = new Problems()
    const spanMs = problems.check(() =>
      flags.last === undefined ? null : parseDuration(flags.last, '--last', { minMs: 1000 }),
    )
    const sinceMs = spanMs == null ? null : madeMs - spanMs
    const out = flags.out ?? usualName(madeMs)
    problems.check(() =>
      out === STDOUT ? refuseTerminal(host.stdoutScreen.columns) : checkPlace(out, flags.yes === true),
    )
    const here: Here = { ...opened, argv: this.argv, sinceMs }
    const given = await readGiven(flags, here, problems)
    problems.throwIfAny('see partner support bundle --help; nothing was sent')
    const recorder = new TrafficRecorder()
    const all = [
      ...partsOfThisMachine(settingsHere(here), here),
      ...partsOfTheService(here, recorder),
      ...given.journals.map(journalPart),
      trafficPart(given.exchanges, recorder),
    ]
    if (flags.list) return show.all([{ ...README }, ...all.map(({ name, about }) => ({ name, about }))], bundlePlanList)
    let over = () => {}
    const bundle = await makeBundle({
      ...{ parts: all, madeMs, version: host.version, last: flags.last ?? null, signal: host.signal },
      secrets: () => secretsHere(here),
      home: host.env['HOME'] ?? homedir(),
      onStep: (words) => {
        over()
        over = host.waiting.begin(words)
      },
    }).finally(() => over())
    host.signal.throwIfAborted()
    const zip = pack(bundle.entries, madeMs)
    for (const { name, problem } of bundle.missing) await say(`${name} could not be collected: ${problem}`)
    if (out === STDOUT) return host.stdout.write(zip)
    writeFileDurably(out, zip)
    const { packed: parts, missing } = bundle
    const views = { card: bundleCard, list: bundleList }
    await show.one({ file: resolve(out), bytes: zip.byteLength, parts, missing }, views)
    await say('nothing was sent to anybody: look through the file, then hand it to support')
  }
}

function refuseTerminal(columns: number | null): void {
  if (columns === null) return
  throw usageFailure(['--out - writes a zip, which a terminal cannot show'], 'redirect it into a file, or name one')
}

/** Reads the files of --har and --journal before anything is collected. Errors are added to `problems`. */
async function readGiven(
  { har = [], journal = [] }: { readonly har?: string[] | undefined; readonly journal?: string[] | undefined },
  here: Here,
  problems: Problems,
) {
  const exchanges: GivenEntry[] = []
  for (const path of har) {
    const entries = (await problems.checkLater(() => readHar(path, here.host.signal))) ?? []
    exchanges.push(...entries.filter(({ startedDateTime }) => isInSpan(Date.parse(startedDateTime), here)))
  }
  const journals: KeptDelivery[][] = []
  for (const path of journal)
    await problems.checkLater(async () => {
      const kept: KeptDelivery[] = []
      for await (const batch of keptDeliveries(path, here.host))
        kept.push(...batch.filter(({ timeMs }) => isInSpan(timeMs, here)))
      journals.push(kept)
    })
  return { exchanges, journals }
}
