import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { parseJson } from '../../base/json/parse.ts'
import { ensurePrivateDirectory } from '../../base/storage/directories.ts'
import { removeAbandonedWrites, writeFileDurably } from '../../base/storage/durable-write.ts'
import { withLock } from '../../base/storage/lock.ts'
import { readOwnText, refuseUnlessPlainFile } from '../../base/storage/own-file.ts'
import { removeDirectory } from '../../base/storage/rename-remove.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { NO_BASE_URL } from './members.ts'
import { checkNewName, compareByCodeUnit, unknownProfileFailure } from './names.ts'
import { isObject, type ProfileChange, type Retag, readOwn, SANDBOX_PROFILE } from './profile.ts'
import { parseProfiles, readProfiles } from './read.ts'

export interface StoreResult {
  /** The current profile after the change, or `null` if there is none. */
  readonly current: string | null
  readonly warnings: readonly string[]
}

/** The version that the `conf` package writes to the file, so that later versions can migrate it. */
const FORMAT_VERSION = '1.0.0'

/** How long to wait for the lock, in milliseconds. Even twenty concurrent changes take only about a second. */
const LOCK_WAIT_MS = 15_000

/** The file's content, which may include members that a later release added. */
type StoredFile = Record<string, unknown> & { current: string | null; profiles: Record<string, unknown> }

/**
 * Adds a profile. The first profile becomes the current one. Throws USAGE if the name is invalid or the base URL is
 * missing. Every change throws USAGE if the file is invalid or a link, LOCKED if another process is changing it, or
 * INTERNAL if it cannot be written. If a change fails, the file is left unchanged.
 */
export async function addProfile(path: string, name: string, profile: ProfileChange): Promise<StoreResult> {
  checkNewName(name)
  if (!profile.baseUrl) throw new Failure('USAGE', NO_BASE_URL)
  return change(path, (file) => {
    refuseExistingName(name, Object.keys(file.profiles))
    return { current: file.current ?? name, profiles: setMember(file.profiles, name, merge({}, profile)) }
  })
}

/** Throws USAGE if a profile with that name already exists. */
export function refuseExistingName(name: string, taken: Iterable<string>): void {
  if (![...taken].includes(name)) return
  throw new Failure('USAGE', `a profile named "${name}" already exists`, {
    hint: `to change it: partner profiles set --help; to see it: ${formatCommand`profiles show ${name}`}`,
  })
}

/**
 * Changes a profile's settings. Throws NO_PROFILE if the profile is unknown, or the same errors as {@link addProfile}.
 */
export async function setProfile(path: string, name: string, profile: ProfileChange): Promise<StoreResult> {
  refuseBuiltIn(name, 'changed')
  return change(path, (file) => {
    const present = requireProfile(file, name)
    const change = isElsewhere(present, profile) ? { shape: null, ...profile } : profile
    return { ...file, profiles: setMember(file.profiles, name, merge(present, change)) }
  })
}

/** Sets the current profile, which may be `sandbox`. Throws the same errors as {@link setProfile}. */
export async function useProfile(path: string, name: string): Promise<StoreResult> {
  return change(path, (file) => {
    if (name !== SANDBOX_PROFILE) requireProfile(file, name)
    return { ...file, current: name }
  })
}

/** Removes a profile and its stored secrets. Throws the same errors as {@link setProfile}. */
export async function removeProfile(path: string, name: string): Promise<StoreResult> {
  refuseBuiltIn(name, 'removed')
  return change(path, (file) => {
    requireProfile(file, name)
    const rest = Object.entries(file.profiles).filter(([other]) => other !== name)
    return { current: file.current === name ? null : file.current, profiles: Object.fromEntries(rest) }
  })
}

async function change(path: string, edit: (file: StoredFile) => StoredFile): Promise<StoreResult> {
  const loose = ensurePrivateDirectory(dirname(path))
  const rewrite = async () => {
    refuseUnlessPlainFile(path)
    // Throws if the file is invalid, so that it is not overwritten.
    readProfiles(path)
    removeAbandonedWrites(path)
    const text = await editThroughConf(path, edit)
    const { current } = parseProfiles(text, path)
    writeFileDurably(path, text)
    return { current, warnings: loose === null ? [] : [loose] }
  }
  return withLock(`${path}.lock`, rewrite, { command: 'profiles', what: 'the profile file', waitMs: LOCK_WAIT_MS })
}

/**
 * Lets Conf migrate, change and validate a copy of the file, and returns the new text. The copy is in a separate
 * directory, because Conf follows links and silently truncates the file if the disk is full. A truncated copy cannot be
 * parsed, so it causes an error.
 */
async function editThroughConf(path: string, edit: (file: StoredFile) => StoredFile): Promise<string> {
  const { default: Conf } = await import('conf')
  const workshop = join(dirname(path), '.profiles-in-work')
  const copy = join(workshop, 'profiles.json')
  try {
    removeDirectory(workshop)
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
    parseJson(text)
    return `${text}\n`
  } catch (error) {
    if (error instanceof Failure) throw error
    // Do not quote a parser's message, which may contain secrets from the file.
    const reason = getSystemErrorCode(error) === null ? 'the new content is incomplete' : describeSystemError(error)
    throw new Failure('INTERNAL', `cannot change the profiles in ${path}: ${reason}`, {
      hint: 'the file was not changed; check that the disk has free space and that you can write to the directory of the file',
    })
  } finally {
    removeDirectory(workshop)
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

/** Returns whether a change switches to another service, to which the accepted differences do not apply. */
function isElsewhere(present: Readonly<Record<string, unknown>>, { baseUrl }: ProfileChange): boolean {
  if (baseUrl === undefined) return false
  const before = readOwn(present, 'baseUrl')
  return typeof before !== 'string' || URL.parse(before)?.origin !== URL.parse(baseUrl ?? '')?.origin
}

/** Returns a stored profile with a change applied. `null` removes a member, and `undefined` keeps it. */
function merge(present: Readonly<Record<string, unknown>>, { retag, ...profile }: ProfileChange) {
  const next: Record<string, unknown> = { ...present }
  const members = retag === undefined ? profile : { ...profile, tags: applyRetag(readOwn(present, 'tags'), retag) }
  for (const [member, value] of Object.entries(members)) {
    if (value === null) delete next[member]
    else if (value !== undefined) next[member] = value
  }
  return next
}

/** Returns the sorted tags after a change, or `null` if none are left. */
function applyRetag(present: unknown, { isCleared, off, on }: Retag): readonly string[] | null {
  const before = isCleared || !Array.isArray(present) ? [] : (present as readonly string[])
  const tags = new Set([...before.filter((tag) => !off.includes(tag)), ...on])
  return tags.size === 0 ? null : [...tags].sort(compareByCodeUnit)
}

/**
 * Returns a copy of an object with one member set. A plain assignment to `__proto__` would set the prototype instead.
 */
function setMember(object: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(object).filter(([other]) => other !== name), [name, value]])
}

function refuseBuiltIn(name: string, done: string): void {
  if (name !== SANDBOX_PROFILE) return
  throw new Failure('USAGE', `the profile "sandbox" is built in and cannot be ${done}`, {
    hint: 'reset its data with: partner sandbox reset',
  })
}
