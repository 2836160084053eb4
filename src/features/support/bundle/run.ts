import { resolve } from 'node:path'
import { attempt } from '../../../base/attempt.ts'
import { usageFailure } from '../../../base/failure/failure.ts'
import { homeDirectory } from '../../../base/storage/directories.ts'
import { writeFileDurably } from '../../../base/storage/durable-write.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { type FlagValues, flag, repeated, toggle } from '../../../terminal/input/flags.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { limitHeapGrowth } from '../../../terminal/output/heap.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { storedDeliveries } from '../../../webhooks/gaps/source.ts'
import { checkWritablePath } from '../../shared/place.ts'
import type { RecordedDelivery } from './cleaning/traffic.ts'
import { type LazyHarEntry, readHar } from './given/har.ts'
import { defaultName, makeBundle, pack, README } from './make.ts'
import { type BundleContext, bundleParts, isInPeriod, readableSecrets } from './parts.ts'
import { bundleCard, bundleList, bundlePlanList } from './views.ts'

const STDOUT = '-'
/** The total size of HAR entries, in bytes, above which the heap's growth is limited. */
const LARGE_BYTES = 4 * 1024 * 1024
const PLACE = { flag: '--out', example: 'DIR/FILE.zip' }

export const BUNDLE_FLAGS = {
  last: flag('DUR', 'Include only operations, deliveries and recorded traffic from the last DUR, such as 1h.'),
  out: flag(
    'FILE',
    'Where to write the bundle (default: partner-support-DAY-TIME.zip in the current directory; - for stdout).',
  ),
  har: repeated({ helpValue: 'FILE', summary: 'Include the traffic that --har recorded in FILE. May be repeated.' }),
  journal: repeated({
    helpValue: 'FILE',
    summary: 'Include the deliveries in FILE, a journal written by webhooks listen. May be repeated.',
  }),
  list: toggle('List the files that the bundle would contain, without collecting them.'),
} as const

type BundleFlags = FlagValues<typeof BUNDLE_FLAGS>

/**
 * Creates and writes a bundle, or lists its parts. `argv` is the command line as typed. Throws INTERNAL if the
 * result contains anything that must not leave this machine. Also throws USAGE and Interrupted.
 */
export async function writeBundle(opened: Opened<BundleFlags, object>, argv: readonly string[]): Promise<void> {
  const { flags, host, show, say } = opened
  const madeMs = host.now()
  const problems = new Problems()
  const spanMs = problems.check(() =>
    flags.last === undefined ? null : parseDuration(flags.last, '--last', { minMs: 1000 }),
  )
  const sinceMs = spanMs == null ? null : madeMs - spanMs
  const out = flags.out ?? defaultName(madeMs)
  problems.check(() =>
    out === STDOUT ? refuseTerminal(host.stdoutScreen.columns) : checkWritablePath(out, flags.yes === true, PLACE),
  )
  const here: BundleContext = { ...opened, argv, sinceMs }
  const given = await readGiven(flags, here, problems)
  problems.throwIfAny('nothing was sent; see partner support bundle --help')
  const parts = bundleParts(here, given)
  if (flags.list)
    return show.all(
      [README, ...parts].map(({ name, about }) => ({ name, about })),
      bundlePlanList,
    )
  let over = () => {}
  const bundle = await makeBundle({
    ...{ parts, madeMs, version: host.version, last: flags.last ?? null, signal: host.signal },
    secrets: () => readableSecrets(here),
    home: attempt(() => homeDirectory(host.env), ''),
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
  const shown = { file: resolve(out), bytes: zip.byteLength, parts: bundle.packed, missing: bundle.missing }
  await show.one(shown, { card: bundleCard, list: bundleList })
  await say('the bundle was not sent to anyone: look through the file, then give it to support')
}

function refuseTerminal(columns: number | null): void {
  if (columns === null) return
  throw usageFailure(['--out - writes a zip, which a terminal cannot show'], 'redirect stdout to a file, or name one')
}

/** Reads the files named by `--har` and `--journal` before anything is collected. Adds errors to `problems`. */
async function readGiven(
  { har = [], journal = [] }: Pick<BundleFlags, 'har' | 'journal'>,
  here: BundleContext,
  problems: Problems,
) {
  const exchanges: LazyHarEntry[] = []
  for (const path of har) {
    const entries = (await problems.checkAsync(() => readHar(path, here.host.signal))) ?? []
    exchanges.push(...entries.filter(({ startedDateTime }) => isInPeriod(Date.parse(startedDateTime), here)))
  }
  if (exchanges.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_BYTES) await limitHeapGrowth()
  const journals: RecordedDelivery[][] = []
  for (const path of journal)
    await problems.checkAsync(async () => {
      const kept: RecordedDelivery[] = []
      for await (const batch of storedDeliveries(path, here.host))
        kept.push(...batch.filter(({ timeMs }) => isInPeriod(timeMs, here)))
      journals.push(kept)
    })
  return { exchanges, journals }
}
