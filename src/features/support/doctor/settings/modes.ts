import { type Stats, statSync } from 'node:fs'
import { shellWord } from '../../../../base/failure/shell-word.ts'
import type { Variables } from '../../../../base/storage/directories.ts'
import type { SecretSource } from '../../../../client/profiles/profile.ts'
import { profilesPath } from '../../../../client/profiles/read.ts'
import { describeLooseFile, expandHome } from '../../../../client/profiles/secret-reading.ts'
import type { Known, Section } from '../examination.ts'
import { fail, ok, skip } from '../finding.ts'

const NAME = 'modes'

/** Checks that other users cannot read the files with keys. */
export const modesSection: Section = {
  rows: [NAME],
  needs: ['configuration'],
  *examine({ around }, known) {
    const files = filesWithSecrets(around.env, known)
    if (files.length === 0) return yield skip(NAME, 'no file holds a secret')
    const loose = files.filter(({ path, stats }) => describeLooseFile(path, stats) !== null)
    if (loose.length === 0) return yield ok(NAME, `nobody else may read ${files.map(({ path }) => path).join(', ')}`)
    const named = loose.map(({ path, stats }) => `${path} (mode ${modeText(stats)})`).join(', ')
    const next = `chmod 600 ${loose.map(({ path }) => shellWord(path)).join(' ')}`
    yield fail(NAME, `other users may read ${named}`, next)
  },
}

interface PresentFile {
  readonly path: string
  readonly stats: Stats
}

function filesWithSecrets(env: Variables, { settings }: Known): PresentFile[] {
  const secrets = [settings?.apiKey, settings?.signingSecret].flatMap((secret) => fileOf(secret?.value, env))
  return [...new Set([profilesPath(env), ...secrets])].flatMap((path) => {
    try {
      const stats = statSync(path)
      return stats.isFile() ? [{ path, stats }] : []
    } catch {
      // The section that reads it reports the error.
      return []
    }
  })
}

function fileOf(source: SecretSource | undefined, env: Variables): string[] {
  return source !== undefined && 'file' in source ? [expandHome(source.file, env)] : []
}

function modeText({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}
