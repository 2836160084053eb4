import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../../../cli/runtime/host.ts'
import type { RunParts } from '../../../cli/runtime/run.ts'
import { type Act, forwardTo, runFor, takeAll } from '../../../listener/handling/act.ts'
import { HandlerCommands } from '../../../listener/handling/handler-commands.ts'
import { environmentWithoutSecrets } from '../../../listener/handling/handler-environment.ts'
import { type Keeper, openJournalKeeper } from '../../../listener/keeper.ts'
import type { Mark } from '../../../listener/mark.ts'
import type { RequiredHeader } from '../../../listener/receiver.ts'
import { openTarget } from '../../../listener/target.ts'
import type { SecretSource } from '../../../profiles/profile.ts'
import { profilesPath, readProfiles } from '../../../profiles/read.ts'
import { readSecret } from '../../../profiles/secret-reading.ts'
import { dataDirectory } from '../../../storage/directories.ts'
import { counted } from '../../../views/wording.ts'
import type { HeaderReference, ListenWanted } from './_flags.ts'

/** The headers with their values. Fails: NO_PROFILE for one that cannot be read. */
export async function readRequiredHeaders(
  references: readonly HeaderReference[],
  { env, signal, stderr }: Host,
  warn: (line: string) => void,
): Promise<RequiredHeader[]> {
  const headers: RequiredHeader[] = []
  for (const { name, source } of references) {
    const value = await readSecret(source, env, 'security key', { warn, signal })
    stderr.hide(value)
    headers.push({ name, value })
  }
  return headers
}

/** The path of the journal: the one that was named, or the usual one, whose directory is made. */
export function journalPath(given: string | undefined, env: Host['env']): string {
  if (given !== undefined) return given
  const directory = dataDirectory(env)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return join(directory, 'deliveries.ndjson')
}

/** Opens where deliveries are kept. Fails: as `openJournalKeeper` and `openInboxKeeper`. */
export async function openKeeper(
  { inbox, journal, duplicateWindowMs }: Pick<ListenWanted, 'inbox' | 'journal' | 'duplicateWindowMs'>,
  { host, warn }: Pick<RunParts, 'host' | 'warn'>,
): Promise<Keeper> {
  if (inbox === null) return openJournalKeeper(journalPath(journal, host.env), duplicateWindowMs)
  const { openInboxKeeper } = await import('../../../listener/inbox/inbox-keeper.ts')
  return openInboxKeeper(inbox, { duplicateWindowMs, signal: host.signal, tell: (line) => void warn(line) })
}

/** What is done with each delivery, and how to end that once no more come. Fails: USAGE. */
export async function openAct(
  { target, exec, required, inbox }: Pick<ListenWanted, 'target' | 'exec' | 'required' | 'inbox'>,
  mark: Mark,
  host: Host,
  tell: (line: string) => void,
): Promise<{ readonly act: Act; readonly finish: () => Promise<void> }> {
  if (target !== null) {
    const opened = await openTarget(target, host.env)
    return { act: forwardTo(opened, mark, tell), finish: opened.close }
  }
  if (exec === null) return { act: takeAll, finish: async () => undefined }
  const sources = required.map(({ source }) => source)
  const commands = new HandlerCommands(exec, handlerEnvironment(sources, inbox !== null, host))
  const finish = async () => {
    if (commands.underWay > 0) tell(`waiting for ${counted(commands.underWay, 'command', 'commands')} to end`)
    await commands.ended()
  }
  return { act: runFor(commands, tell), finish }
}

/** The environment for a command of the user: without the tool's secrets, and without the password of a database that the tool uses. */
export function handlerEnvironment(
  sources: readonly SecretSource[],
  hasDatabase: boolean,
  { env, stderr }: Pick<Host, 'env' | 'stderr'>,
): NodeJS.ProcessEnv {
  const named = [...sources, ...profileSecrets(env)].flatMap((source) => ('env' in source ? [source.env] : []))
  return environmentWithoutSecrets(env, hasDatabase ? [...named, 'PGPASSWORD'] : named, stderr.hidden)
}

/** Where the profiles keep their secrets. What is wrong with their file is no matter here. */
function profileSecrets(env: Host['env']): SecretSource[] {
  try {
    const profiles = [...readProfiles(profilesPath(env)).byName.values()]
    return profiles.flatMap(({ apiKey, signingSecret }) => [apiKey, signingSecret]).filter((source) => source !== null)
  } catch {
    return []
  }
}
