import { Failure } from '../../base/failure/failure.ts'
import { shellWord } from '../../base/failure/shell-word.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { describeProfile } from '../../client/profiles/describe.ts'
import { NO_BASE_URL } from '../../client/profiles/members.ts'
import { checkNewName } from '../../client/profiles/names.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { PROFILE_FLAGS, readProfileChange } from '../../features/profiles/flags.ts'
import { profileCard, profileList } from '../../features/profiles/views.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { toggle } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'

export default class ProfilesAdd extends PartnerCommand {
  static override summary = 'Add a profile: the address of a service and its key.'
  static override description =
    'At a terminal, you are asked for what is missing, and the key is tried with one request, which only reads; the profile is kept whatever the answer is. Keys are never given as arguments: without a terminal, pipe the key in with --api-key-stdin, or keep it elsewhere and give a reference: env:VAR, file:PATH or command:CMD. The first profile becomes the current one.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production --environment production --base-url https://api.example.com --timezone Australia/Sydney --api-key env:LIVE_KEY',
    'openssl rand -hex 16 | <%= config.bin %> <%= command.id %> dev --base-url https://dev.example.com --api-key-stdin',
    '<%= config.bin %> <%= command.id %> cron --base-url https://api.example.com --mode read-only --api-key file:/run/secrets/partner-key',
  ]
  static override args = { name: optionalArgument('name of the profile; without a terminal, it is required') }
  static override flags = { ...PROFILE_FLAGS, 'no-check': toggle('At a terminal: do not try the key.') }

  async run(): Promise<void> {
    const parts = await this.open(ProfilesAdd)
    const { args, flags, show, host, say, warn } = parts
    if (args.name !== undefined) checkNewName(args.name)
    const missing = [
      ...(args.name === undefined ? ['missing argument NAME: name of the profile'] : []),
      ...(flags['base-url'] === undefined ? [NO_BASE_URL] : []),
    ]
    const given = await readProfileChange(flags, host, host.canAsk ? {} : { missing, complete: this.#complete(args) })
    const path = profilesPath(host.env)
    const { addProfile } = await import('../../client/profiles/store.ts')
    const { name, change } = host.canAsk
      ? await (await import('../../features/profiles/ask.ts')).askMissing(host, args.name, given, [
          ...readProfiles(path).byName.keys(),
        ])
      : { name: args.name ?? '', change: given }
    const { warnings, current } = await addProfile(path, name, change)
    for (const warning of warnings) await warn(warning)
    await show.one({ ...describeProfile(name, readProfiles(path), host.env) }, { card: profileCard, list: profileList })
    const added = `added ${name}${current === name ? ' as the current profile' : ''}`
    if (host.canAsk && !flags['no-check']) {
      await say(added)
      return tryKey(parts, name)
    }
    const next = change.apiKey
      ? suggest`profiles check ${name}`
      : `give it a key: ${suggest`profiles set ${name} --api-key env:PARTNER_API_KEY`}`
    await say(`${added}; next: ${next}`)
  }

  /** Returns the command line as typed, completed with example values for what it lacks. */
  #complete({ name }: { readonly name: string | undefined }): string {
    const lacks = (flags: RegExp, example: string) => (this.argv.some((word) => flags.test(word)) ? [] : [example])
    const typed = [...(name === undefined ? ['dev'] : []), ...this.argv]
    const end = typed.indexOf('--')
    const whole = typed.toSpliced(
      end < 0 ? typed.length : end,
      0,
      ...lacks(/^--base-url(?:=|$)/, '--base-url=https://service.example'),
      ...lacks(/^--api-key(?:-stdin)?(?:=|$)/, '--api-key=env:PARTNER_API_KEY'),
    )
    return ['partner profiles add', ...whole.map(shellWord)].join(' ')
  }
}

/** Makes the request of `profiles check` once with a new profile, and says what it found. Fails: Interrupted. */
async function tryKey({ connection, service, say, warn }: RunParts, name: string): Promise<void> {
  connection.useProfile(name)
  const isKept = `the profile ${name} is kept`
  const again = `then try it again: ${suggest`profiles check ${name}`}`
  try {
    const statuses = await service.lookAtAll(listBookingStatuses, {}, 0)
    await say(`the service accepts the key; booking statuses of its venue: ${statuses.length}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error
    if (error.code === 'UNAUTHORIZED') {
      await warn(`the service does not accept this key; ${isKept}`)
      await say(`next: give it the right key: ${suggest`profiles set ${name} --api-key-stdin`}, ${again}`)
    } else if (error.code === 'UNKNOWN_APP' || error.code === 'VENUE_NOT_LINKED') {
      await warn(`${error.message}; ${isKept}`)
      await say(`next: ${error.hint}; ${again}`)
    } else {
      await warn(`the key could not be tried: ${error.message}; ${isKept}`)
      await say(`next: try it later: ${suggest`profiles check ${name}`}`)
    }
  }
}
