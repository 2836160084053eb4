import { lstatSync, readlinkSync } from 'node:fs'
import { counted } from '../../../../base/counted.ts'
import { Failure } from '../../../../base/failure/failure.ts'
import { shellWord } from '../../../../base/failure/shell-word.ts'
import { profilesPath, type ReadProfiles, readProfiles } from '../../../../client/profiles/read.ts'
import { resolveSettings } from '../../../../client/profiles/resolve.ts'
import type { Examination, Section } from '../examination.ts'
import { fail, failureLine, ok, skip, skipAfter, warn } from '../finding.ts'

const PARSED = 'configuration'
const LINKS = 'links'

/** Checks that the profile file can be read, and is not a symbolic link. */
export const configurationSection: Section = {
  rows: [PARSED, LINKS],
  needs: [],
  *examine(given) {
    const path = profilesPath(given.around.env)
    let profiles: ReadProfiles
    try {
      profiles = readProfiles(path)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const next = `ls -l ${shellWord(path)}`
      const message = failureLine(error)
      if (isNeeded(given)) {
        yield fail(PARSED, `${message}; correct it by hand, or move it away and add the profiles again`, next)
        yield skipAfter(LINKS, PARSED)
      } else {
        yield warn(PARSED, `${message}; it is not needed here`, next)
        yield skip(LINKS, 'not looked at')
      }
      return
    }
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) {
      yield ok(PARSED, `there is no profile file: ${path} would be it`)
      yield skip(LINKS, 'there is no profile file')
      return
    }
    const count = profiles.byName.size
    yield ok(PARSED, `${path} has ${counted(count, 'profile')}`)
    yield stats.isSymbolicLink()
      ? warn(
          LINKS,
          `${path} is a symbolic link (to ${readlinkSync(path)}): it is read through it, and no change is written through it`,
          `ls -l ${shellWord(path)}`,
        )
      : ok(LINKS, 'the profile file is no link')
  },
}

class Wanted extends Error {}

/** Whether these settings use the profile file. Variables and the sandbox may not need it. */
function isNeeded({ around, profile, baseUrl }: Examination): boolean {
  try {
    resolveSettings({
      flags: { profile, baseUrl },
      env: around.env,
      needs: ['baseUrl', 'apiKey'],
      profiles: () => {
        throw new Wanted()
      },
    })
    return false
  } catch (error) {
    return error instanceof Wanted
  }
}
