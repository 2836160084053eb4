import { Failure } from '../../base/failure/failure.ts'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { checkBaseUrl } from '../../client/profiles/base-url.ts'
import { checkMember, NO_BASE_URL } from '../../client/profiles/members.ts'
import { checkNewName } from '../../client/profiles/names.ts'
import type { ProfileChange } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { readSecretInput } from '../../terminal/input/interruptible.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { type ProfileFlags, readProfileChange } from './flags.ts'
import { showProfile } from './views.ts'

/**
 * Adds a profile. At a terminal, prompts for missing settings and tests the API key. `argv` contains the arguments as
 * the user typed them. Throws USAGE or Interrupted.
 */
export async function addFromFlags(
  typedName: string | undefined,
  flags: ProfileFlags & { readonly 'no-check'?: boolean | undefined },
  argv: readonly string[],
  parts: RunParts,
): Promise<void> {
  const { host, say, warn } = parts
  if (typedName !== undefined) checkNewName(typedName)
  const missing = [
    ...(typedName === undefined ? ['missing argument NAME: name of the profile'] : []),
    ...(flags['base-url'] === undefined ? [NO_BASE_URL] : []),
  ]
  const isComplete = host.canAsk ? {} : { missing, complete: completeCommandLine(typedName, argv) }
  const given = await readProfileChange(flags, host, isComplete)
  const path = profilesPath(host.env)
  const { addProfile } = await import('../../client/profiles/store.ts')
  const { name, change } = host.canAsk
    ? await askMissing(host, typedName, given)
    : { name: typedName ?? '', change: given }
  const { warnings, current } = await addProfile(path, name, change)
  for (const warning of warnings) await warn(warning)
  await showProfile(name, parts)
  const added = `added ${name}${current === name ? ' as the current profile' : ''}`
  if (host.canAsk && !flags['no-check']) {
    await say(added)
    return testKey(parts, name)
  }
  const next = change.apiKey
    ? formatCommand`profiles check ${name}`
    : `set the API key: ${formatCommand`profiles set ${name} --api-key env:PARTNER_API_KEY`}`
  await say(`${added}; next: ${next}`)
}

/**
 * Prompts for the missing settings of a new profile. Throws USAGE if the profile's name is invalid or in use.
 * Also throws Interrupted.
 */
async function askMissing(host: Host, typedName: string | undefined, given: ProfileChange) {
  const { askText, problemOf } = await import('../../terminal/input/prompts.ts')
  const { refuseExistingName } = await import('../../client/profiles/store.ts')
  const taken = [...readProfiles(profilesPath(host.env)).byName.keys()]
  const checkName = (text: string) => {
    checkNewName(text)
    refuseExistingName(text, taken)
  }
  const name = typedName ?? (await askText(host, 'Name of the profile:', (text) => problemOf(() => checkName(text))))
  checkName(name)
  const checkUrl = (text: string) => checkBaseUrl(text, 'as typed')
  const askUrl = () =>
    askText(host, 'Base URL of the service, as issued at onboarding:', (text) => problemOf(() => checkUrl(text)))
  const askZone = () =>
    askText(host, 'Time zone of the venue:', (text) => checkMember('timezone', text, 'the time zone'), {
      initial: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  const baseUrl = given.baseUrl === undefined ? checkUrl(await askUrl()).href.replace(/\/$/, '') : given.baseUrl
  const timezone = given.timezone === undefined ? await askZone() : given.timezone
  const apiKey =
    given.apiKey === undefined ? await readSecretInput(host, 'API key', `API key of ${name}:`) : given.apiKey
  return { name, change: { ...given, baseUrl, timezone, apiKey } }
}

/** Returns the command line that the user typed, with example values added for missing flags. */
function completeCommandLine(name: string | undefined, argv: readonly string[]): string {
  const lacks = (flags: RegExp, example: string) => (argv.some((word) => flags.test(word)) ? [] : [example])
  const typed = [...(name === undefined ? ['dev'] : []), ...argv]
  const end = typed.indexOf('--')
  const whole = typed.toSpliced(
    end < 0 ? typed.length : end,
    0,
    ...lacks(/^--base-url(?:=|$)/, '--base-url=https://service.example'),
    ...lacks(/^--api-key(?:-stdin)?(?:=|$)/, '--api-key=env:PARTNER_API_KEY'),
  )
  return ['partner profiles add', ...whole.map(quoteShellWord)].join(' ')
}

/**
 * Tests a profile's key with the same request as `profiles check`, without retries, and prints the result. Throws
 * Interrupted.
 */
async function testKey({ connection, service, say, warn }: RunParts, name: string): Promise<void> {
  connection.useProfile(name)
  const tell = async (problem: string, next: string) => {
    await warn(`${problem}; the profile ${name} was stored`)
    await say(`next: ${next}: ${formatCommand`profiles check ${name}`}`)
  }
  try {
    const statuses = await service.readAll(listBookingStatuses, {}, 0)
    await say(`the service accepts the key; booking statuses at its venue: ${statuses.length}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error
    const again = 'then check it again'
    if (error.code === 'UNAUTHORIZED') {
      const right = formatCommand`profiles set ${name} --api-key-stdin`
      return tell('the service does not accept this key', `set the correct key: ${right}, ${again}`)
    }
    if (error.code === 'UNKNOWN_APP' || error.code === 'VENUE_NOT_LINKED')
      return tell(error.message, `${error.hint}; ${again}`)
    await tell(`the key could not be tested: ${error.message}`, 'check it later')
  }
}
