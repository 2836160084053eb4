import { join } from 'node:path'
import { ApiCommand } from '../../cli/api-command.ts'
import { flag, OUTPUT_FLAGS } from '../../cli/flags.ts'
import { Problems } from '../../cli/problems.ts'
import { dataDirectory } from '../../files/directories.ts'
import { startSandbox } from '../../sandbox/start.ts'

export default class SandboxStart extends ApiCommand {
  static override summary = 'Serve the sandbox on this machine, for other programs to call, until it is interrupted.'
  static override description =
    'Without --data it shares its venue with --profile sandbox. It prints its address and keys first; they are for the sandbox alone.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --port 4010',
    '<%= config.bin %> <%= command.id %> --data :memory: --json',
  ]
  static override baseFlags = OUTPUT_FLAGS
  static override flags = {
    port: flag('N', 'Port on 127.0.0.1 (default: a free one).'),
    data: flag('DIR|:memory:', "Where the venue is kept (default: the sandbox profile's own)."),
    seed: flag('N', 'Seed of a new venue: the same number makes the same venue.'),
  }

  async run(): Promise<void> {
    const { flags } = await this.input(SandboxStart)
    const problems = new Problems()
    const port = problems.wholeNumber('--port', flags.port, 0, 65_535)
    const seed = problems.wholeNumber('--seed', flags.seed, 0, 4_294_967_295)
    problems.throwIfAny()
    const data = flags.data ?? join(dataDirectory(this.host.env), 'sandbox')
    const sandbox = await startSandbox({
      data,
      ...(port === undefined ? {} : { port }),
      ...(seed === undefined ? {} : { seed }),
    })
    try {
      const { baseUrl, apiKey, keys, partnerName, signatureHeader, signingSecret, locationId } = sandbox
      const facts = {
        baseUrl,
        apiKey,
        keys: { unknownApp: keys.unknownApp, unlinkedVenue: keys.unlinkedVenue },
        partnerName,
        signatureHeader,
        signingSecret,
        locationId,
      }
      if (this.format === 'table') {
        await this.print(
          [
            `PARTNER_BASE_URL=${baseUrl}`,
            `PARTNER_API_KEY=${apiKey}`,
            `PARTNER_NAME=${partnerName}`,
            `PARTNER_SIGNATURE_HEADER=${signatureHeader}`,
            `PARTNER_SIGNING_SECRET=${signingSecret}`,
            `PARTNER_LOCATION_ID=${locationId}`,
            '',
          ].join('\n'),
        )
        await this.say(`other keys: ${keys.unknownApp} (belongs to no app), ${keys.unlinkedVenue} (has no venue)`)
        await this.say(`serving ${data === ':memory:' ? 'a venue in memory' : data}; Ctrl-C ends it`)
      } else await this.print(`${JSON.stringify(facts)}\n`)
      await this.host.stdout.flush()
      await untilStopped(this.host.signal)
    } finally {
      await sandbox.close()
    }
  }
}

/** Being told to stop is how this command ends well. */
function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
