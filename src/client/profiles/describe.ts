import { type Stats, statSync } from 'node:fs'
import { maskSecret } from '../../base/redaction/redaction.ts'
import type { Variables } from '../../base/storage/directories.ts'
import { getSystemErrorCode } from '../../base/storage/system-error.ts'
import { describeDialect } from '../../contract/answers/dialect.ts'
import { maskBaseUrl } from './base-url.ts'
import { compareByCodeUnit, unknownProfileFailure } from './names.ts'
import { NO_SETTINGS, type Profile, type Profiles, SANDBOX_PROFILE, type SecretSource } from './profile.ts'
import { describeLooseFile, expandHome } from './secret-reading.ts'

/** A profile as it is printed. Secrets are masked or replaced with a description of where they come from. */
export interface ProfileDescription extends Omit<Profile, 'shape' | 'tags' | 'apiKey' | 'signingSecret'> {
  readonly name: string
  readonly current: boolean
  /** Whether the profile is built in. True only for `sandbox`. */
  readonly builtIn: boolean
  readonly shape: string | null
  readonly tags: readonly string[]
  /**
   * The masked key, or a description of where the key comes from: `••••1234 (stored)`, `env:K (set)`, `file:/run/key
   * (missing)` or `command:pass … (run when used)`. `null` if it has no key.
   */
  readonly apiKey: string | null
  readonly signingSecret: string | null
}

/** Describes all profiles in the file, sorted by name. Does not include the built-in `sandbox`. */
export function describeProfiles(profiles: Profiles, env: Variables): readonly ProfileDescription[] {
  return [...profiles.byName]
    .filter(([name]) => name !== SANDBOX_PROFILE)
    .sort(([a], [b]) => compareByCodeUnit(a, b))
    .map(([name, profile]) => describe(name, profile, profiles.current, env))
}

/** Describes one profile, or the built-in `sandbox`. Throws NO_PROFILE if it is unknown. */
export function describeProfile(name: string, profiles: Profiles, env: Variables): ProfileDescription {
  const profile = name === SANDBOX_PROFILE ? NO_SETTINGS : profiles.byName.get(name)
  if (profile === undefined) throw unknownProfileFailure(name, profiles.byName.keys())
  return describe(name, profile, profiles.current, env)
}

export function describeSecret(source: SecretSource, env: Variables): string {
  if ('value' in source) return `${maskSecret(source.value)} (stored)`
  if ('env' in source) return `env:${source.env} (${env[source.env] ? 'set' : 'not set'})`
  if ('file' in source) return `file:${source.file} (${describeFile(source.file, env)})`
  // Only the program is shown, because the rest of the command line may contain a password.
  const [program = ''] = source.command.trim().split(/\s/, 1)
  const shown = /^[A-Za-z0-9._/+-]{1,64}$/.test(program) ? program : ''
  return `command:${shown === source.command.trim() ? shown : `${shown} …`.trim()} (run when used)`
}

function describe(name: string, profile: Profile, current: string | null, env: Variables): ProfileDescription {
  return {
    name,
    current: name === current,
    builtIn: name === SANDBOX_PROFILE,
    ...profile,
    baseUrl: profile.baseUrl === null ? null : maskBaseUrl(profile.baseUrl),
    shape: profile.shape === null ? null : describeDialect(profile.shape),
    tags: profile.tags ?? [],
    apiKey: profile.apiKey === null ? null : describeSecret(profile.apiKey, env),
    signingSecret: profile.signingSecret === null ? null : describeSecret(profile.signingSecret, env),
  }
}

function describeFile(file: string, env: Variables): string {
  const path = expandHome(file, env)
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    return getSystemErrorCode(error) === 'ENOENT' ? 'missing' : 'unreadable'
  }
  if (stats.isDirectory()) return 'a directory'
  return describeLooseFile(path, stats) === null ? 'present' : 'present, other users may read it'
}
