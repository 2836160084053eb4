import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure/failure.ts'
import { ensurePrivateDirectory } from '../storage/directories.ts'
import { removeAbandonedWrites, writeFileDurably } from '../storage/durable-write.ts'
import { withLock } from '../storage/lock.ts'
import { readOwnText, refuseUnlessPlainFile } from '../storage/own-file.ts'
import { describeSystemError, getSystemErrorCode } from '../storage/system-error.ts'
import { NO_BASE_URL } from './members.ts'
import { checkNewName, unknownProfileFailure } from './names.ts'
import { isObject, type ProfileChange, readOwn, SANDBOX_PROFILE } from './profile.ts'
import { parseProfiles, readProfiles } from './read.ts'

/** What a change of the profiles leaves behind. */
export interface StoreResult {
  /** The current profile after the change, or null. */
  readonly current: string | null
  /** Lines for stderr. */
  readonly warnings: readonly string[]
}

/** The version of the file's form; the package that writes it records it there, and migrates from older ones. */
const FORMAT_VERSION = '1.0.0'

/** Twenty runs that each change a profile take about a second together. */
const LOCK_WAIT_MS = 15_000

/** The file's JSON, with all the members that this release knows nothing of. */
interface StoredFile extends Record<string, unknown> {
  current: string | null
  profiles: Record<string, unknown>
}

/**
 * Adds a profile; the first one becomes the current one. Fails: USAGE when the name is taken, reserved or malformed, or
 * there is no base URL; as every change: USAGE for a file that cannot be understood or is a link (it is left as it is),
 * LOCKED when others change the profiles all the time, INTERNAL when the file cannot be written (the old one stays).
 */
export async function addProfile(path: string, name: string, profile: ProfileChange): Promise<StoreResult> {
  checkNewName(name)
  if (!profile.baseUrl) throw new Failure('USAGE', NO_BASE_URL)
  return change(path, (file) => {
    if (Object.hasOwn(file.profiles, name)) {
      throw new Failure('USAGE', `there is a profile "${name}" already`, {
        hint: `change it with: partner profiles set ${name}`,
      })
    }
    return {
      current: file.current ?? name,
      profiles: withMember(file.profiles, name, merge({}, profile)),
    }
  })
}

/** Changes members of a profile; the others, and those of a later release, stay. Fails: NO_PROFILE; as {@link addProfile}. */
export async function setProfile(path: string, name: string, profile: ProfileChange): Promise<StoreResult> {
  refuseBuiltIn(name, 'changed')
  return change(path, (file) => {
    const present = requireProfile(file, name)
    return { ...file, profiles: withMember(file.profiles, name, merge(present, profile)) }
  })
}

/** Makes a profile the current one; `sandbox` can be it too. Fails: NO_PROFILE; as {@link addProfile}. */
export async function useProfile(path: string, name: string): Promise<StoreResult> {
  return change(path, (file) => {
    if (name !== SANDBOX_PROFILE) requireProfile(file, name)
    return { ...file, current: name }
  })
}

/** Removes a profile with its stored secrets; there is no current one when it was it. Fails: NO_PROFILE; as {@link addProfile}. */
export async function removeProfile(path: string, name: string): Promise<StoreResult> {
  refuseBuiltIn(name, 'removed')
  return change(path, (file) => {
    requireProfile(file, name)
    const rest = Object.entries(file.profiles).filter(([other]) => other !== name)
    return { current: file.current === name ? null : file.current, profiles: Object.fromEntries(rest) }
  })
}

/** One change at a time on this machine, on the file as it is now, and on disk before it counts. */
async function change(path: string, edit: (file: StoredFile) => StoredFile): Promise<StoreResult> {
  const loose = ensurePrivateDirectory(dirname(path))
  return withLock(
    `${path}.lock`,
    async () => {
      refuseUnlessPlainFile(path)
      // Refuses what cannot be understood before anything may be written over it.
      readProfiles(path)
      removeAbandonedWrites(path)
      const text = await editThroughConf(path, edit)
      const { current } = parseProfiles(text, path)
      writeFileDurably(path, text)
      return { current, warnings: loose === null ? [] : [loose] }
    },
    { command: 'profiles', what: 'the profile file', waitMs: LOCK_WAIT_MS },
  )
}

/**
 * Lets Conf migrate, change and check the file's content, and returns the new text. Conf works on a copy in a directory of
 * its own: its way of writing follows links and, on a full disk, replaces a good file by a truncated one without a word;
 * a truncated copy does not parse, and the profile file is never in its hands.
 */
async function editThroughConf(path: string, edit: (file: StoredFile) => StoredFile): Promise<string> {
  const { default: Conf } = await import('conf')
  const workshop = join(dirname(path), '.profiles-in-work')
  const copy = join(workshop, 'profiles.json')
  try {
    rmSync(workshop, { recursive: true, force: true })
    mkdirSync(workshop, { mode: 0o700 })
    writeFileDurably(copy, readOwnText(path)?.replace(/^\uFEFF/, '') ?? '{}')
    const conf = new Conf<Record<string, unknown>>({
      cwd: workshop,
      configName: 'profiles',
      projectVersion: FORMAT_VERSION,
      migrations: {},
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
      schema: {
        current: { type: ['string', 'null'] },
        profiles: { type: 'object', additionalProperties: { type: 'object' } },
      },
    })
    const { current, profiles } = edit(readStored(conf.store))
    conf.set({ current, profiles })
    const text = readFileSync(copy, 'utf8')
    JSON.parse(text)
    return `${text}\n`
  } catch (error) {
    if (error instanceof Failure) throw error
    // The message of a parser quotes the text, which holds secrets; only what the system says is repeated.
    const reason = getSystemErrorCode(error) === null ? 'the new content is not whole' : describeSystemError(error)
    throw new Failure('INTERNAL', `cannot change the profiles in ${path}: ${reason}`, {
      hint: 'the file is as it was; see that the disk has space and that you may write to its directory',
    })
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

function readStored(store: Readonly<Record<string, unknown>>): StoredFile {
  const current = readOwn(store, 'current')
  const profiles = readOwn(store, 'profiles')
  return { current: typeof current === 'string' ? current : null, profiles: isObject(profiles) ? profiles : {} }
}

function requireProfile(file: StoredFile, name: string): Readonly<Record<string, unknown>> {
  const present = readOwn(file.profiles, name)
  if (!isObject(present)) throw unknownProfileFailure(name, Object.keys(file.profiles))
  return present
}

/** null takes a member away, undefined leaves it. */
function merge(present: Readonly<Record<string, unknown>>, profile: ProfileChange): Record<string, unknown> {
  const next: Record<string, unknown> = { ...present }
  for (const [member, value] of Object.entries(profile)) {
    if (value === null) delete next[member]
    else if (value !== undefined) next[member] = value
  }
  return next
}

/** An own member whatever its name: an assignment to `__proto__` would set the prototype instead. */
function withMember(object: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(object).filter(([other]) => other !== name), [name, value]])
}

function refuseBuiltIn(name: string, done: string): void {
  if (name !== SANDBOX_PROFILE) return
  throw new Failure('USAGE', `the profile "sandbox" is built in and cannot be ${done}`, {
    hint: 'reset its data with: partner sandbox reset',
  })
}
