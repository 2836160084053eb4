import { formatCount } from '../../../base/counted.ts'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { formatCommand } from '../../../base/failure/suggested.ts'
import { profilesPath } from '../../../client/profiles/read.ts'
import type { Settings } from '../../../client/profiles/settings.ts'
import { readShapeFile } from '../../../client/shapes/shape-file.ts'
import {
  DATE_WORDS,
  type DateDialect,
  type Dialect,
  describeDialect,
  isPlain,
  listWords,
  NO_DIALECT,
} from '../../../contract/answers/dialect.ts'
import { NO_LIST, OTHER_MEMBERS, type Shapes } from '../../../contract/answers/shape.ts'
import { type Expected, type ExpectedAnswer, getExpectedAnswers } from '../../../contract/shapes/expected.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { copyOwner, settingsOf } from '../../shared/copies.ts'
import type { Correction } from '../output.ts'
import { compareShapes, type Finding } from './compare.ts'
import { isCardNumber, onlyDateForm } from './judge.ts'
import { correctionList } from './views.ts'

/**
 * Accepts the differences that the last run found. They are stored in the profile. With `--clear`, removes the accepted
 * differences. Throws NO_PROFILE or USAGE.
 */
export async function acceptDrift(opened: Opened<{ readonly clear: boolean }, object>): Promise<void> {
  const { flags, host, show, say, ask, warn } = opened
  const settings = settingsOf(host, flags)
  const { profile, service } = ownProfile(settings)
  const keep = async (shape: Settings['shape'], words: string) => {
    const { setProfile } = await import('../../../client/profiles/store.ts')
    const { warnings } = await setProfile(profilesPath(host.env), profile, { shape })
    for (const warning of warnings) await warn(warning)
    await say(words)
  }
  const plain = `removed the accepted differences from profile ${profile}`
  if (flags.clear)
    return settings.shape === null ? say(`profile ${profile} has no accepted differences`) : keep(null, plain)
  const { lastRun } = readShapeFile(host.env, { profile, service })
  const look = formatCommand`drift --profile ${profile}`
  if (lastRun === null)
    throw usageFailure([`drift has not been run with profile ${profile}`], `see what differs: ${look}`)
  const followed = settings.shape ?? NO_DIALECT
  const { dialect, rows, left } = findCorrections(await getExpectedAnswers(), lastRun.shapes, followed)
  await show.all(rows, correctionList)
  if (left > 0) await say(`${formatCount(left, 'contradiction')} cannot be accepted: ${look}`)
  if (describeDialect(followed) === describeDialect(dialect))
    return isPlain(dialect) ? undefined : say(`profile ${profile} already accepts these differences`)
  if (isPlain(dialect)) {
    await ask.confirmHere(`Remove the accepted differences from profile ${profile}?`)
    return keep(null, plain)
  }
  await ask.confirmHere(`Accept these differences in profile ${profile}?`)
  await keep(dialect, `stored in profile ${profile}; all commands that use it now accept these differences`)
  await say(`to undo this: ${formatCommand`drift accept --clear --profile ${profile}`}`)
}

/**
 * Returns the profile to change and its service. Throws NO_PROFILE if no profile is in use. Throws USAGE if the profile
 * cannot be changed or if a different address is in use.
 */
function ownProfile(settings: Settings) {
  const { profile, service } = copyOwner(settings)
  if (profile === null)
    throw new Failure('NO_PROFILE', 'accepted differences are stored in a profile, but no profile is in use', {
      hint: 'name a profile: --profile NAME',
    })
  if (settings.kind === 'sandbox' || service === null)
    throw usageFailure([`profile ${profile} cannot be changed`], 'name one of your own profiles: --profile NAME')
  if (settings.baseUrl?.from !== `profile ${profile}`)
    throw usageFailure(
      [`the address from ${settings.baseUrl?.from} differs from the address of profile ${profile}`],
      'omit the address or change the profile: partner profiles set',
    )
  return { profile, service }
}

/**
 * Finds the contradictions that a client can adapt to: a list in a different member, a different time format, and
 * lower-case card numbers. Keeps previously accepted differences that this run could not check. `left` is the number of
 * contradictions that remain.
 */
function findCorrections(answers: readonly ExpectedAnswer[], shapes: Shapes, kept: Dialect) {
  const findings = compareShapes(answers, shapes, NO_DIALECT)
  const contradicted = findings.filter(({ verdict }) => verdict === 'contradicted')
  const isUnseen = (which: (finding: Finding) => boolean) =>
    !findings.some((finding) => finding.verdict !== 'not-seen' && finding.shape !== null && which(finding))
  const unseenDates = Object.entries(kept.dates).filter(([name]) => isUnseen((one) => nameOf(one) === name))
  const unseenLists = Object.entries(kept.lists).filter(([id]) => Object.keys(shapes[id]?.lists ?? {}).length === 0)
  const isLowerSeen = contradicted.some(
    ({ expectation, shape }) => isCardNumber(expectation) && isLower(shape?.forms ?? {}),
  )
  const isLowerKept = kept.cards === 'lower' && isUnseen(({ expectation }) => isCardNumber(expectation))
  const dialect: Dialect = {
    lists: Object.fromEntries([...unseenLists, ...findLists(answers, shapes)]),
    dates: Object.fromEntries([...unseenDates, ...findDates(answers, contradicted)]),
    cards: isLowerSeen || isLowerKept ? 'lower' : null,
  }
  const left = compareShapes(answers, shapes, dialect).filter(({ verdict }) => verdict === 'contradicted').length
  return { dialect, rows: toRows(dialect, answers), left }
}

function toRows({ lists, dates, cards }: Dialect, answers: readonly ExpectedAnswer[]): Correction[] {
  const rows: Correction[] = []
  for (const { id, endpoint } of answers) {
    const member = Object.hasOwn(lists, id) ? lists[id] : undefined
    if (member === undefined) continue
    const documented = listWords(endpoint.list?.member ?? '')
    rows.push({ kind: 'list', where: `${endpoint.method} ${endpoint.path}`, documented, accepted: listWords(member) })
  }
  for (const [member, form] of Object.entries(dates))
    rows.push({ kind: 'date', where: member, documented: 'time with a zone', accepted: DATE_WORDS[form] })
  if (cards !== null)
    rows.push({ kind: 'case', where: 'card numbers', documented: 'upper case', accepted: 'lower case' })
  return rows
}

/** Returns the lists that are in a different member than the contract says, as pairs of endpoint ID and member. */
function findLists(answers: readonly ExpectedAnswer[], shapes: Shapes): [id: string, member: string][] {
  return answers.flatMap(({ id, endpoint }): [string, string][] => {
    const found = Object.keys(shapes[id]?.lists ?? {})
    const [member] = found
    const isOne = found.length === 1 && member !== undefined && member !== NO_LIST && member !== OTHER_MEMBERS
    return isOne && member !== (endpoint.list?.member ?? '') ? [[id, member]] : []
  })
}

/**
 * Returns the actual time formats, keyed by member name, of members whose format contradicts the contract. A format
 * applies to a name on all endpoints, so names with several formats and names that are not always instants are omitted.
 */
function findDates(answers: readonly ExpectedAnswer[], contradicted: readonly Finding[]) {
  const dates = new Map<string, DateDialect>()
  const instants = instantNames(answers)
  for (const [name, findings] of Map.groupBy(contradicted, nameOf)) {
    const forms = new Set(
      findings.map(({ expectation, shape }) => (isInstant(expectation) && shape ? onlyDateForm(shape) : null)),
    )
    const [form] = forms
    if (forms.size === 1 && form && instants.has(name)) dates.set(name, form)
  }
  return dates
}

function instantNames(answers: readonly ExpectedAnswer[]): ReadonlySet<string> {
  const names = new Map<string, boolean>()
  const look = ({ members, item }: Expected) => {
    for (const [name, member] of members ?? []) {
      names.set(name, (names.get(name) ?? true) && isInstant(member))
      look(member)
    }
    if (item) look(item)
  }
  for (const { expected } of answers) look(expected)
  return new Set([...names].flatMap(([name, isSure]) => (isSure ? [name] : [])))
}

/** Returns whether the contract expects a time with a zone. */
function isInstant(expected: Expected | null): boolean {
  const forms = expected?.form?.assumed ?? expected?.form?.documented
  return forms?.includes('utc') === true && !forms.includes('no-zone')
}

function isLower(forms: Readonly<Record<string, number>>): boolean {
  return Object.keys(forms).every((form) => form === 'card-lower' || form === 'card-digits')
}

function nameOf({ member }: Pick<Finding, 'member'>): string {
  return member.slice(member.lastIndexOf('.') + 1).replace(/^.*\]/, '')
}
