import { existsSync } from 'node:fs'
import { Failure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { dataDirectory } from '../../base/storage/directories.ts'
import { parseVenueFlags, VENUE_FLAGS } from '../../features/sandbox/flags.ts'
import { tellFacts, troubleTeller } from '../../features/sandbox/serving.ts'
import { type OpenedSnapshot, readWishes, tellWithoutCredentials } from '../../features/sandbox/snapshots.ts'
import { sandboxDirectory } from '../../features/sandbox/target.ts'
import { endOperations, noteAddress } from '../../features/sandbox/venue-gone.ts'
import { isLoopback } from '../../http/loopback.ts'
import { databasePath } from '../../sandbox/store/data-directory.ts'
import { type Sandbox, startSandbox } from '../../studio/start.ts'
import { flag, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Host } from '../../terminal/runtime/host.ts'

export default class SandboxStart extends PartnerCommand {
  static override summary = 'Serve the sandbox to other programs on this machine, until interrupted.'
  static override description =
    'Without --data, it shares its venue with --profile sandbox; with --snapshot and without --data it serves in memory, and that venue stays as it is. It first prints its address and keys, which work for the sandbox only, and the address of its page: the diary, the journal and the rest of it in a browser on this machine. Ctrl-C or SIGTERM ends it with exit code 0. Use partner sandbox faults, journal, deliveries and clock in another terminal.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --data :memory: --json',
    '<%= config.bin %> <%= command.id %> --snapshot busy-friday',
    '<%= config.bin %> <%= command.id %> --data ./venue --clock 2026-12-24T08:00:00Z --rate-limit 10/1000',
  ]
  static override flags = {
    port: flag('N', 'Port to listen on (default: a free one).'),
    host: flag('ADDRESS', 'Address to listen on (default: 127.0.0.1); anyone who can reach it can use it.'),
    'allow-host': repeated({
      helpValue: 'NAME',
      summary: 'Also answer requests for this host name, such as that of a container. May be repeated.',
    }),
    data: flag(
      'DIR|:memory:',
      "Where the venue is kept (default: the sandbox profile's own; with --snapshot: in memory).",
    ),
    'no-page': toggle('Serve no page for the browser.'),
    ...VENUE_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, show, host, say, warn } = await this.open(SandboxStart)
    const problems = new Problems()
    const port = problems.wholeNumber('--port', flags.port, 0, 65_535)
    parseVenueFlags(flags, host.now(), problems)
    if (flags.data === '') problems.add('--data must not be empty', 'give a directory, or :memory:')
    if (flags.host !== undefined && !/^[\w.:-]+$/.test(flags.host))
      problems.add(`--host must be an address such as 0.0.0.0, not ${JSON.stringify(flags.host)}`)
    const allowedHosts = flags['allow-host'] ?? []
    for (const name of allowedHosts)
      if (!/^[\w.-]+$/.test(name))
        problems.add(`--allow-host must be a host name without a port, such as pos.test, not ${JSON.stringify(name)}`)
    problems.throwIfAny()
    const { wishes, snapshot } = await readWishes(flags, host)
    const data = flags.data ?? (snapshot ? ':memory:' : sandboxDirectory(host.env))
    if (snapshot) refuseToReplace(data, flags.snapshot ?? '')
    const sandbox = await startSandbox({
      data,
      background: true,
      page: flags['no-page'] !== true,
      onUnexpected: troubleTeller(warn),
      onWarning: (text) => void warn(text).catch(() => undefined),
      allowedHosts,
      ...wishes,
      port,
      host: flags.host,
    })
    if (data !== ':memory:') noteAddress(data, sandbox.baseUrl)
    try {
      const { seed: _seed, clock: _clock, close: _close, ...facts } = sandbox
      await tellFacts(facts, show)
      const { unknownApp, unlinkedVenue } = facts.keys
      if (show.format === 'table')
        await say(`other keys: ${unknownApp} (belongs to no app), ${unlinkedVenue} (has no venue)`)
      if (show.format === 'table' && sandbox.pageUrl !== undefined) await say(`diary: ${sandbox.pageUrl}`)
      for (const warning of warningsOf(sandbox, wishes, flags.host)) await warn(warning)
      if (snapshot) await tellWithoutCredentials(snapshot.read, say)
      const place = data === ':memory:' ? 'a venue in memory' : data
      if (show.format === 'table') await say(`serving ${place}${since(sandbox, snapshot)}; press Ctrl-C to stop`)
      await host.stdout.flush()
      await untilStopped(host)
    } finally {
      await sandbox.close()
      if (data === ':memory:') endOperations(dataDirectory(host.env), [sandbox.baseUrl], GONE)
    }
  }
}

/** Fails: USAGE if the directory already has a venue, which a snapshot would replace. */
function refuseToReplace(data: string, snapshot: string): void {
  if (data === ':memory:' || !existsSync(databasePath(data))) return
  throw new Failure('USAGE', `${data} has a venue already, and --snapshot only begins a new one`, {
    hint: `leave out --data to serve the snapshot in memory; or replace that venue: ${suggest`sandbox snapshot load ${snapshot} --data ${data}`}`,
  })
}

function since({ clock }: Sandbox, snapshot: OpenedSnapshot | null): string {
  return snapshot ? `, whose clock ${clock.frozen ? 'stands at' : 'runs on from'} ${clock.now}` : ''
}

const GONE = 'the sandbox in memory has ended'

type Wishes = Awaited<ReturnType<typeof readWishes>>['wishes']

function warningsOf(sandbox: Sandbox, { seed, clock, fill }: Wishes, host: string | undefined): string[] {
  const warnings: string[] = []
  if (host !== undefined && !isLoopback(host))
    warnings.push(
      `anyone who can reach ${host} on port ${new URL(sandbox.baseUrl).port} can use this sandbox: its keys are public, and http is not encrypted. Control its faults, journal and clock with --data.`,
    )
  if (seed !== undefined && seed !== sandbox.seed)
    warnings.push(
      `this venue already exists, made from seed ${sandbox.seed}; to make one from seed ${seed}, reset it first or choose another --data`,
    )
  if (sandbox.clock.shifted && clock === undefined && fill === undefined)
    warnings.push(
      `the clock of this venue ${sandbox.clock.frozen ? 'is frozen' : 'is set'} at ${sandbox.clock.now}; to set it back to this machine's time: partner sandbox clock reset`,
    )
  return warnings
}

/** A stop signal is the normal end. Later ones are ignored while it closes, at most 2 s, as npm passes signals on. */
function untilStopped({ signal, answerSignals }: Host): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      answerSignals(() => undefined)
      resolve()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
