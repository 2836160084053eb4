import { checkBaseUrl } from '../../client/profiles/base-url.ts'
import { checkMember } from '../../client/profiles/members.ts'
import { checkNewName } from '../../client/profiles/names.ts'
import type { ProfileChange } from '../../client/profiles/profile.ts'
import { refuseTakenName } from '../../client/profiles/store.ts'
import { typedOrPiped } from '../../terminal/input/interruptible.ts'
import type { Host } from '../../terminal/runtime/host.ts'

/** A new profile as far as it is known. */
interface NewProfile {
  readonly name: string
  readonly change: ProfileChange
}

/**
 * Asks the person at the terminal for what a new profile lacks: its name, base URL, time zone and API key.
 * Fails: USAGE when a name that was given is malformed or taken; Interrupted.
 */
export async function askMissing(
  host: Host,
  name: string | undefined,
  given: ProfileChange,
  taken: readonly string[],
): Promise<NewProfile> {
  const { askText, problemOf } = await import('../../terminal/input/prompts.ts')
  const checkName = (text: string) => {
    checkNewName(text)
    refuseTakenName(text, taken)
  }
  const named = name ?? (await askText(host, 'Name of the profile:', (text) => problemOf(() => checkName(text))))
  checkName(named)
  const checkUrl = (text: string) => checkBaseUrl(text, 'as typed')
  const typedUrl =
    given.baseUrl === undefined
      ? await askText(host, 'Base URL of the service, as issued at onboarding:', (text) =>
          problemOf(() => checkUrl(text)),
        )
      : null
  const timezone =
    given.timezone === undefined
      ? await askText(host, 'Time zone of the venue:', (text) => checkMember('timezone', text, 'the time zone'), {
          initial: Intl.DateTimeFormat().resolvedOptions().timeZone,
        })
      : given.timezone
  const apiKey = given.apiKey === undefined ? await typedOrPiped(host, 'API key', `API key of ${named}:`) : given.apiKey
  const baseUrl = typedUrl === null ? {} : { baseUrl: checkUrl(typedUrl).href.replace(/\/$/, '') }
  return { name: named, change: { ...given, ...baseUrl, timezone, apiKey } }
}
