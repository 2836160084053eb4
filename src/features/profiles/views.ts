import type { JsonObject } from '../../base/json/exact.ts'
import { describeProfile } from '../../client/profiles/describe.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { type Cell, cellText } from '../../terminal/render/text/tone.ts'
import type { CardView, CellOf, ViewContext } from '../../terminal/render/view.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { pathsIn } from '../shared/views/paths.ts'
import { textAt, words } from '../shared/views/wording.ts'

/** Lists the profiles. Each secret is masked, or shown as a reference to where it is stored. */
export const profileList = listOf('profile', 'profiles', 'No profiles yet. Add one: partner profiles add NAME', {
  columns: [
    { path: 'name', header: 'NAME', cell: nameCell, rank: 1 },
    { path: 'environment', header: 'ENVIRONMENT', cell: environmentCell, rank: 3 },
    { path: 'mode', header: 'MODE', rank: 5, optional: true },
    { path: 'baseUrl', header: 'BASE URL', cell: addressCell, flex: 24, rank: 2 },
    { path: 'timezone', header: 'TIMEZONE', flex: 12, rank: 6, optional: true },
    { path: 'apiKey', header: 'API KEY', cell: keyCell, flex: 18, rank: 4 },
    {
      path: 'signingSecret',
      header: 'SIGNING SECRET',
      cell: secretAt('signingSecret'),
      flex: 18,
      rank: 7,
      optional: true,
    },
    { path: 'tags', header: 'TAGS', cell: tagsCell, flex: 12, rank: 8, optional: true },
  ],
  csvPaths:
    pathsIn(`name current builtIn environment baseUrl timezone partnerName signatureHeader locationId ledger mode shape tags apiKey
    signingSecret`),
  footnote: () => '* is the current profile',
})

export const currentProfileList = listOf('profile', 'profiles', 'No profile was changed.', {
  columns: [{ path: 'current', header: 'CURRENT' }],
})

export const removedProfileList = listOf('profile', 'profiles', 'No profile was changed.', {
  columns: [{ path: 'removed', header: 'REMOVED' }, ...currentProfileList.columns],
})

export const profileChangeCard: CardView = {
  title: () => ['Profiles'],
  sections: onlyFields([
    { label: 'Removed', paths: ['removed'] },
    { label: 'Current', paths: ['current'], blank: 'none' },
  ]),
}

export const profileCard: CardView = {
  title: (profile) => [
    { text: `Profile ${textAt(profile, 'name')}`.trim(), tone: 'strong' },
    environmentCell(profile),
    profile['current'] === true ? 'current' : '',
  ],
  sections: onlyFields([
    {
      label: 'Service',
      paths: ['name', 'current', 'environment', 'builtIn'],
      cell: (profile) =>
        profile['builtIn'] === true ? 'the sandbox, which has its own address, keys and time zone' : '',
    },
    { label: 'Base URL', paths: ['baseUrl'], cell: orUnset(memberAt('baseUrl'), 'not set') },
    { label: 'API key', paths: ['apiKey'], cell: orUnset(secretAt('apiKey'), 'not set') },
    { label: 'Timezone', paths: ['timezone'], cell: orUnset(memberAt('timezone'), 'not set; times are shown in UTC') },
    { label: 'Location ID', paths: ['locationId'] },
    { label: 'Ledger', paths: ['ledger'] },
    {
      label: 'Signing secret',
      paths: ['signingSecret'],
      cell: orUnset(secretAt('signingSecret'), 'not set; required for partner inbound endpoints'),
    },
    { label: 'Partner name', paths: ['partnerName'] },
    { label: 'Signature header', paths: ['signatureHeader'] },
    { label: 'Mode', paths: ['mode'] },
    { label: 'Shape', paths: ['shape'] },
    { label: 'Tags', paths: ['tags'], cell: tagsCell },
  ]),
}

/** Prints one profile. Throws NO_PROFILE if it does not exist. */
export async function showProfile(name: string, { show, host }: Pick<RunParts, 'show' | 'host'>): Promise<void> {
  const described = describeProfile(name, readProfiles(profilesPath(host.env)), host.env)
  await show.one({ ...described }, { card: profileCard, list: profileList })
}

/** Shows the result of `profiles check`. `profile` is `null` if only environment variables specify the service. */
export const profileCheckCard: CardView = {
  title: (check) => [
    { text: textAt(check, 'profile') || 'The service', tone: 'strong' },
    { text: 'works', tone: 'good' },
  ],
  sections: onlyFields([
    { label: 'Base URL', paths: ['baseUrl', 'profile', 'ok'] },
    { label: 'Key', paths: ['ok'], cell: () => 'accepted, and a venue is linked to it' },
    {
      label: 'Statuses',
      paths: ['statuses'],
      cell: (check) => `${textAt(check, 'statuses')} booking statuses at this venue`,
    },
    { label: 'Answered in', paths: ['elapsedMs'], cell: (check) => `${textAt(check, 'elapsedMs')} ms` },
  ]),
}

export const profileCheckList = listOf('check', 'checks', 'Nothing was checked.', {
  columns: [
    { path: 'profile', header: 'PROFILE' },
    { path: 'baseUrl', header: 'BASE URL', flex: 20 },
    { path: 'ok', header: 'OK' },
    { path: 'statuses', header: 'STATUSES', align: 'right' },
    { path: 'elapsedMs', header: 'MS', align: 'right' },
  ],
})

function nameCell(profile: JsonObject): Cell {
  const name = textAt(profile, 'name')
  return profile['current'] === true ? { text: `${name} *`, tone: 'strong' } : name
}

function tagsCell({ tags }: JsonObject): Cell {
  return Array.isArray(tags) ? tags.join(', ') : ''
}

function addressCell(profile: JsonObject): Cell {
  return profile['builtIn'] === true ? { text: 'this machine', tone: 'dim' } : textAt(profile, 'baseUrl')
}

function keyCell(profile: JsonObject, context: ViewContext): Cell {
  return profile['builtIn'] === true ? { text: 'its own', tone: 'dim' } : secretAt('apiKey')(profile, context)
}

/** Formats a profile's environment. Production is highlighted, because every write there is real. */
function environmentCell(profile: JsonObject): Cell {
  const environment = textAt(profile, 'environment')
  if (environment === '' && profile['builtIn'] === true) return { text: 'built in', tone: 'dim' }
  return environment === 'production' ? { text: environment, tone: 'warn' } : words(environment)
}

/** Formats a setting. If it is missing, shows `unset`, except for the built-in sandbox, which needs no settings. */
function orUnset(cellOf: CellOf, unset: string): CellOf {
  return (profile, context) => {
    const cell = cellOf(profile, context)
    if (cellText(cell) !== '' || profile['builtIn'] === true) return cell
    return { text: unset, tone: 'dim' }
  }
}

function memberAt(member: string): CellOf {
  return (profile) => textAt(profile, member)
}

/** Formats a secret. It is highlighted if it is missing or if other users can read it. */
function secretAt(member: string): CellOf {
  return (profile) => {
    const text = textAt(profile, member)
    if (/\((?:missing|unreadable|a directory|not set)\)$/.test(text)) return { text, tone: 'bad' }
    return text.endsWith('other users may read it)') ? { text, tone: 'warn' } : text
  }
}
