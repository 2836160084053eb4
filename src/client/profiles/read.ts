import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { parseJson } from '../../base/json/parse.ts'
import { configDirectory, ensurePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { openOwnFile } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { refuseUtf16 } from '../../base/utf8.ts'
import { isObject, type Profile, type Profiles, parseProfile, readOwn } from './profile.ts'
import { describeLooseFile } from './secret-reading.ts'

export interface ReadProfiles extends Profiles {
  readonly path: string
  /** Warnings for stderr, for example that other users can read the file. */
  readonly warnings: readonly string[]
}

/** Returns the path of the profile file. Throws the same errors as `configDirectory`. */
export function profilesPath(env: Variables): string {
  return join(configDirectory(env), 'profiles.json')
}

/**
 * Reads the profile file and makes its directory private. Returns no profiles if the file does not exist. Does not use
 * the package that writes the file, because loading it takes 80 ms. Throws USAGE if the file is invalid. The message
 * lists all invalid members without their values.
 */
export function readProfiles(path: string): ReadProfiles {
  const read = readText(path)
  if (read === null) return { path, current: null, byName: new Map(), warnings: [] }
  // Some directories, such as mounts, cannot be made private. In that case, only the file's own mode protects it.
  ensurePrivateDirectory(dirname(path))
  return { path, ...parseProfiles(read.text, path), warnings: read.warning === null ? [] : [read.warning] }
}

/** Parses the text of a profile file. `path` is used in messages. Throws USAGE if the file is invalid. */
export function parseProfiles(text: string, path: string): Profiles {
  const json = parseProfileText(text, path)
  const problems: string[] = []
  const byName = new Map<string, Profile>()
  const whole = isObject(json) ? json : null
  if (whole === null) problems.push('the file must contain an object')
  const profiles = (whole && readOwn(whole, 'profiles')) ?? {}
  const current = (whole && readOwn(whole, 'current')) ?? null
  if (!isObject(profiles)) problems.push('"profiles" must be an object')
  for (const [name, value] of Object.entries(isObject(profiles) ? profiles : {})) {
    const profile = parseProfile(name, value, problems)
    if (profile !== null) byName.set(name, profile)
  }
  if (current !== null && typeof current !== 'string') problems.push('"current" must be the name of a profile')
  const lines = problems.map((problem) => `${path}: ${problem}`)
  if (lines.length > 0) throw usageFailure(lines, 'correct the file manually; it was left unchanged')
  return { current: typeof current === 'string' ? current : null, byName }
}

function readText(path: string): { text: string; warning: string | null } | null {
  try {
    const descriptor = openOwnFile(path, 'read')
    if (descriptor === null) return null
    try {
      const warning = describeLooseFile(path, fstatSync(descriptor))
      const bytes = readFileSync(descriptor)
      refuseUtf16(bytes, `the profile file ${path}`)
      return { text: bytes.toString('utf8'), warning }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('USAGE', `cannot read the profiles in ${path}: ${describeSystemError(error)}`, {
      hint: 'make the file readable, or set PARTNER_CONFIG_DIR to another directory; the file was left unchanged',
      cause: error,
    })
  }
}

function parseProfileText(text: string, path: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The JavaScript engine's message quotes text near the error, which may be a key. Only the position is used.
    const message = error instanceof Error ? error.message : ''
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
    const place = line === undefined ? '' : ` (line ${line}, column ${column})`
    const problem = text.trim() === '' ? 'is empty' : `is not valid JSON${place}`
    throw new Failure('USAGE', `the profile file ${path} ${problem}`, {
      hint: `correct it manually, or move it aside and add the profiles again; it was left unchanged`,
    })
  }
}
