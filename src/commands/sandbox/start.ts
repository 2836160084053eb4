import { dataDirectory } from '../../base/storage/directories.ts'
import { parseVenueFlags, VENUE_FLAGS } from '../../features/sandbox/flags.ts'
import { endOperations, recordAddress } from '../../features/sandbox/open-operations.ts'
import { createErrorReporter, printFacts } from '../../features/sandbox/serving.ts'
import { readVenueOptions, reportLostCredentials } from '../../features/sandbox/snapshots.ts'
import { describeSnapshotClock, listWarnings, refuseToReplace, waitForStop } from '../../features/sandbox/starting.ts'
import { sandboxDirectory } from '../../features/sandbox/target.ts'
import { startSandbox } from '../../studio/start.ts'
import { flag, repeated, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

const GONE = 'the in-memory sandbox has stopped'

export default class SandboxStart extends PartnerCommand {
  static override summary = 'Serve the sandbox to other programs on this machine until interrupted.'
  static override description =
    "Without --data, the sandbox shares its venue with --profile sandbox. With --snapshot but without --data, it serves a venue in memory, and leaves the venue of --profile sandbox unchanged. The command first prints the sandbox's address and keys, which work only for the sandbox, and the address of its page, which shows the diary, the journal and more in a browser on this machine. Ctrl-C or SIGTERM ends it with exit code 0. To control it from another terminal, use partner sandbox faults, journal, deliveries and clock."
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --data :memory: --json',
    '<%= config.bin %> <%= command.id %> --snapshot busy-friday',
    '<%= config.bin %> <%= command.id %> --data ./venue --clock 2026-12-24T08:00:00Z --rate-limit 10/1000',
  ]
  static override flags = {
    port: flag('N', 'Port to listen on (default: a free one).'),
    host: flag('ADDRESS', 'Address to listen on (default: 127.0.0.1); anyone who can reach it can use the sandbox.'),
    'allow-host': repeated({
      helpValue: 'NAME',
      summary: "Also answer requests for this host name, such as a container's. May be repeated.",
    }),
    data: flag(
      'DIR|:memory:',
      'Directory to store the venue in (default: the directory of --profile sandbox, or :memory: with --snapshot).',
    ),
    'no-page': toggle('Do not serve the browser page.'),
    ...VENUE_FLAGS,
  }

  async run(): Promise<void> {
    const { flags, show, host, say, warn } = await this.open(SandboxStart)
    const problems = new Problems()
    const port = problems.wholeNumber('--port', flags.port, 0, 65_535)
    parseVenueFlags(flags, host.now(), problems)
    if (flags.data === '') problems.add('--data must not be empty', 'pass a directory, or :memory:')
    if (flags.host !== undefined && !/^[\w.:-]+$/.test(flags.host))
      problems.add(`--host must be an address such as 0.0.0.0, not ${JSON.stringify(flags.host)}`)
    const allowedHosts = flags['allow-host'] ?? []
    for (const name of allowedHosts)
      if (!/^[\w.-]+$/.test(name))
        problems.add(`--allow-host must be a host name without a port, such as pos.test, not ${JSON.stringify(name)}`)
    problems.throwIfAny()
    const { options, snapshot } = await readVenueOptions(flags, host)
    const data = flags.data ?? (snapshot ? ':memory:' : sandboxDirectory(host.env))
    if (snapshot) refuseToReplace(data, flags.snapshot ?? '')
    const sandbox = await startSandbox({
      data,
      background: true,
      page: flags['no-page'] !== true,
      onUnexpected: createErrorReporter(warn),
      onWarning: (text) => void warn(text).catch(() => undefined),
      allowedHosts,
      ...options,
      port,
      host: flags.host,
    })
    if (data !== ':memory:') recordAddress(data, sandbox.baseUrl)
    try {
      const { seed: _seed, clock: _clock, close: _close, ...facts } = sandbox
      await printFacts(facts, show)
      const { unknownApp, unlinkedVenue } = facts.keys
      if (show.format === 'table')
        await say(`other keys: ${unknownApp} (does not belong to an app), ${unlinkedVenue} (has no venue)`)
      if (show.format === 'table' && sandbox.pageUrl !== undefined) await say(`page: ${sandbox.pageUrl}`)
      for (const warning of listWarnings(sandbox, options, flags.host)) await warn(warning)
      if (snapshot) await reportLostCredentials(snapshot.read, say)
      const place = data === ':memory:' ? 'a venue in memory' : data
      if (show.format === 'table')
        await say(`serving ${place}${describeSnapshotClock(sandbox, snapshot)}; press Ctrl-C to stop`)
      await host.stdout.flush()
      await waitForStop(host)
    } finally {
      await sandbox.close()
      if (data === ':memory:') endOperations(dataDirectory(host.env), [sandbox.baseUrl], GONE)
    }
  }
}
