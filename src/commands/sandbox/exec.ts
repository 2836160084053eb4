import { ApiCommand } from '../../cli/api-command.ts'
import { OUTPUT_FLAGS } from '../../cli/flags.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { startSandbox } from '../../sandbox/start.ts'

export default class SandboxExec extends ApiCommand {
  static override summary = 'Run a command against a fresh sandbox in memory, and end with its exit code.'
  static override description =
    'The command finds PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_SIGNING_SECRET, PARTNER_NAME, PARTNER_SIGNATURE_HEADER, PARTNER_LOCATION_ID and PARTNER_TIMEZONE set. Nothing is left behind.'
  static override usage = 'sandbox exec -- CMD…'
  static override examples = [
    '<%= config.bin %> <%= command.id %> -- npm test',
    "<%= config.bin %> <%= command.id %> -- sh -c 'partner bookings statuses'",
  ]
  static override baseFlags = OUTPUT_FLAGS
  static override strict = false

  async run(): Promise<void> {
    const dashes = this.argv.indexOf('--')
    const [command, ...rest] =
      dashes < 0 ? this.argv.filter((word) => !word.startsWith('-')) : this.argv.slice(dashes + 1)
    this.argv = dashes < 0 ? this.argv.filter((word) => word.startsWith('-')) : this.argv.slice(0, dashes)
    await this.input(SandboxExec)
    if (command === undefined || command === '')
      throw usageFailure(['no command is given to run'], 'for example: partner sandbox exec -- npm test')
    const sandbox = await startSandbox({ data: ':memory:' })
    try {
      process.exitCode = await runWith(command, rest, {
        ...withoutPartner(this.host.env),
        PARTNER_BASE_URL: sandbox.baseUrl,
        PARTNER_API_KEY: sandbox.apiKey,
        PARTNER_SIGNING_SECRET: sandbox.signingSecret,
        PARTNER_NAME: sandbox.partnerName,
        PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader,
        PARTNER_LOCATION_ID: sandbox.locationId,
        PARTNER_TIMEZONE: sandbox.timezone,
      })
    } finally {
      await sandbox.close()
    }
  }
}

/** The environment without what would lead the command to another service; where files are kept stays. */
function withoutPartner(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^PARTNER_/.test(name) || /^PARTNER_(\w+_DIR|OUTPUT|DEBUG)$/.test(name)),
  )
}

async function runWith(
  command: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<number> {
  const { spawn } = await import('node:child_process')
  const { constants } = await import('node:os')
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env })
    // A terminal's Ctrl-C reaches the command by itself; a signal to this process alone must be handed on.
    const passOn = (signal: NodeJS.Signals) => child.kill(signal)
    process.on('SIGTERM', passOn)
    child.on('error', (error: NodeJS.ErrnoException) => {
      process.off('SIGTERM', passOn)
      const reason = error.code === 'ENOENT' ? 'there is no such command' : `${error.code ?? error.message}`
      reject(
        new Failure('USAGE', `${JSON.stringify(command)} cannot be run: ${reason}`, {
          hint: 'check the command after the --',
        }),
      )
    })
    child.on('exit', (code, signal) => {
      process.off('SIGTERM', passOn)
      resolve(code ?? 128 + (signal ? (constants.signals[signal] ?? 0) : 0))
    })
  })
}
