import type { FailureCode } from '../../../base/failure/exit-codes.ts'
import type { Failure } from '../../../base/failure/failure.ts'
import { type Guide, guideCommand } from '../../../base/failure/guides.ts'
import { shellWord } from '../../../base/failure/shell-word.ts'
import { suggest } from '../../../base/failure/suggested.ts'
import { type TypedLine, toSameService } from './same-service.ts'

/**
 * Says what to do next: the hint of the failure, and the command that says more. Each command in it goes to the service that the
 * command line named. Undefined when nothing is known.
 */
export async function hintOf(failure: Failure, line: TypedLine): Promise<string | undefined> {
  const hint = hintText(failure, line)
  return hint === undefined ? undefined : toSameService(hint, line)
}

function hintText(failure: Failure, { command, typed }: TypedLine): string | undefined {
  const page = `partner ${command === null ? '' : `${command} `}--help`
  const hint = failure.hint ?? (failure.code === 'USAGE' ? `see ${page}` : undefined)
  const guide = failure.guide ?? guideFor(failure.code, command ?? '')
  const own = guide === undefined ? askedNext(failure, command, typed) : guideCommand(guide)
  if (hint === undefined) return own === undefined ? undefined : `see ${own}`
  const more = own ?? (LEADS.test(hint) ? undefined : failure.code === 'USAGE' ? page : guideCommand('exit-codes'))
  return more === undefined || hint.includes(more) ? hint : `${hint} (more: ${more})`
}

/** A hint that names a command, and not the partner manager or what else is called so. */
const LEADS = /\bpartner (?!app\b|endpoint|inbound endpoint|manager\b|name\b)[a-z-]/

/** Where a command leads when it fails in a way that its own guide is about. The first line that fits counts. */
const GUIDES_OF_COMMANDS: readonly (readonly [commands: RegExp, codes: readonly FailureCode[], guide: Guide])[] = [
  [/^sales reconcile$/, ['PARTIAL_FAILURE'], 'reconcile'],
  [/^sales import$/, ['LOCKED', 'PARTIAL_FAILURE', 'OUTCOME_UNKNOWN', 'INTERRUPTED'], 'import'],
  [
    /^(?:giftcards (?:redeem|cancel)|sales create|inbound redeem|operations )/,
    ['OUTCOME_UNKNOWN', 'INCOMPLETE'],
    'money',
  ],
  [/^giftcards statement$/, ['PARTIAL_FAILURE'], 'statement'],
  [/ sync(?: |$)/, ['LOCKED', 'INCOMPLETE', 'PARTIAL_FAILURE', 'REJECTED'], 'sync'],
  [/^webhooks /, ['LOCKED', 'PARTIAL_FAILURE', 'REJECTED'], 'webhooks'],
  [/^reservations explain$/, ['REJECTED'], 'timeline'],
  [/^tables check$/, ['PARTIAL_FAILURE'], 'table-names'],
  [/^sandbox /, ['LOCKED', 'NOT_FOUND', 'REJECTED'], 'sandbox'],
  [/^/, ['NO_PROFILE'], 'environment'],
]

function guideFor(code: FailureCode, command: string): Guide | undefined {
  return GUIDES_OF_COMMANDS.find(([commands, codes]) => codes.includes(code) && commands.test(command))?.[2]
}

/** What stands between this machine and the service is wrong, and the doctor tells what. */
const FOR_THE_DOCTOR: readonly FailureCode[] = [
  'UNAUTHORIZED',
  'UNKNOWN_APP',
  'VENUE_NOT_LINKED',
  'NETWORK_ERROR',
  'TIMEOUT',
]

/** The command that finds out why; undefined: there is none. */
function askedNext(
  { code, request, service }: Failure,
  command: string | null,
  typed: readonly string[],
): string | undefined {
  if (request === undefined || service === undefined) return undefined
  if (command === 'reservations create' && code === 'REJECTED') return explanation(typed)
  return FOR_THE_DOCTOR.includes(code) ? suggest`doctor` : undefined
}

/** The same reservation, explained: `reservations explain` has all the flags of `reservations create`. */
function explanation(typed: readonly string[]): string {
  const words = ['reservations', 'create']
  const flags = typed.filter((word) => word !== words[0] || words.shift() === undefined)
  return ['partner reservations explain', ...flags.map(shellWord)].join(' ')
}
