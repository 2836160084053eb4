import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discard } from '../../base/storage/rename-remove.ts'
import { parseVenueFlags, VENUE_FLAGS } from '../../features/sandbox/flags.ts'
import { endOperations } from '../../features/sandbox/open-operations.ts'
import { buildDirectoryVariables, buildEnvironment, createErrorReporter } from '../../features/sandbox/serving.ts'
import { readVenueOptions, reportLostCredentials } from '../../features/sandbox/snapshots.ts'
import { startSandbox } from '../../studio/start.ts'
import { OUTPUT_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { runCommand } from '../../terminal/runtime/child/child-command.ts'
import { environmentOfChild } from '../../terminal/runtime/child/child-environment.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SandboxExec extends PartnerCommand {
  static override summary = "Run a command against a new in-memory sandbox and exit with the command's exit code."
  static override description =
    'The environment of CMD contains PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_SIGNING_SECRET, PARTNER_NAME, PARTNER_SIGNATURE_HEADER, PARTNER_LOCATION_ID and PARTNER_TIMEZONE. It does not contain PARTNER_PROFILE, PARTNER_LEDGER, PGPASSWORD or any variable that contains a profile secret. In CMD, partner sandbox faults, journal, deliveries, clock and seed use this sandbox. Profiles, open operations and other files are stored in a temporary directory, unless PARTNER_CONFIG_DIR, PARTNER_DATA_DIR or PARTNER_CACHE_DIR is set. The temporary directory is deleted at the end.'
  static override usage = 'sandbox exec [FLAGS] -- CMD…'
  static override examples = [
    '<%= config.bin %> <%= command.id %> -- partner bookings list --from today',
    '<%= config.bin %> <%= command.id %> --snapshot busy-friday -- partner bookings list --from 2026-12-18',
    '<%= config.bin %> <%= command.id %> --rate-limit 10/1000 -- partner bookings statuses',
  ]
  static override strict = false
  static override flags = VENUE_FLAGS

  async run(): Promise<number> {
    const { own, command } = splitWords(this.argv)
    this.argv = own
    const { flags, host, say, warn } = await this.open(SandboxExec)
    const problems = new Problems()
    parseVenueFlags(flags, host.now(), problems)
    const [program, ...args] = command
    if (program === undefined || program === '')
      problems.add('no command was given', 'for example: partner sandbox exec -- npm test')
    problems.throwIfAny()
    const { options, snapshot } = await readVenueOptions(flags, host)
    const ours = { data: ':memory:', background: true, onUnexpected: createErrorReporter(warn) }
    const sandbox = await startSandbox({ ...ours, ...options })
    if (snapshot) await reportLostCredentials(snapshot.read, say)
    const files = mkdtempSync(join(tmpdir(), 'partner-exec-'))
    try {
      const variables = buildEnvironment(sandbox, await environmentOfChild(host))
      return await runCommand(host, [program ?? '', ...args], { ...buildDirectoryVariables(files), ...variables })
    } finally {
      discard(files)
      await sandbox.close()
      const { PARTNER_DATA_DIR: kept } = host.env
      if (kept) endOperations(kept, [sandbox.baseUrl], 'the in-memory sandbox has stopped')
    }
  }
}

const WITH_VALUE = new Set(
  Object.entries({ ...OUTPUT_FLAGS, ...VENUE_FLAGS }).flatMap(([name, { type, char }]) =>
    type === 'option' ? [`--${name}`, ...(char ? [`-${char}`] : [])] : [],
  ),
)

/**
 * Separates partner's own flags from the command. The command starts after `--`, or at the first word that is neither a
 * flag nor a flag's value.
 */
function splitWords(words: readonly string[]): { own: string[]; command: string[] } {
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    if (word === '--') return { own: words.slice(0, at), command: words.slice(at + 1) }
    if (!word.startsWith('-')) break
    at += WITH_VALUE.has(word) ? 2 : 1
  }
  return { own: words.slice(0, at), command: words.slice(at) }
}
