import type { FailureCode } from '../../failure/exit-codes.ts'
import type { Failure } from '../../failure/failure.ts'
import { type Guide, guideCommand } from '../../failure/guides.ts'
import { shellWord } from '../../failure/shell-word.ts'

/**
 * What to do next, as the error says it: the hint of the failure, and the command that says more. Undefined: nothing is known.
 * @param command the words of the command; null when the line named none.
 * @param typed the words of the command line.
 */
export function hintOf(failure: Failure, command: string | null, typed: readonly string[]): string | undefined {
  const page = `see partner ${command === null ? '' : `${command} `}--help`
  const hint = failure.hint ?? (failure.code === 'USAGE' ? page : undefined)
  const guide = failure.guide ?? guideFor(failure.code, command ?? '')
  const more = guide === undefined ? doctorFor(failure, typed) : guideCommand(guide)
  if (more === undefined || hint?.includes(more)) return hint
  return hint === undefined ? `see ${more}` : `${hint} (more: ${more})`
}

/** Where a command leads when it fails in a way that its own guide is about. The first line that fits counts. */
const GUIDES_OF_COMMANDS: readonly (readonly [commands: RegExp, codes: readonly FailureCode[], guide: Guide])[] = [
  [/^sales import$/, ['LOCKED', 'PARTIAL_FAILURE', 'OUTCOME_UNKNOWN', 'INTERRUPTED'], 'import'],
  [/^(?:giftcards (?:redeem|cancel)|sales create|inbound redeem|operations )/, ['OUTCOME_UNKNOWN'], 'money'],
  [/ sync(?: |$)/, ['LOCKED', 'INCOMPLETE', 'PARTIAL_FAILURE', 'REJECTED'], 'sync'],
  [/^webhooks /, ['LOCKED', 'PARTIAL_FAILURE', 'REJECTED'], 'webhooks'],
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

/** The doctor's command for the same service; undefined: it is not about one. */
function doctorFor({ code, request, service }: Failure, typed: readonly string[]): string | undefined {
  if (request === undefined || service === undefined || !FOR_THE_DOCTOR.includes(code)) return undefined
  const at = typed.findIndex((word) => /^(?:-p|--profile)$/.test(word))
  const profile =
    at < 0 ? /^--profile=(.+)$/.exec(typed.find((word) => word.startsWith('--profile=')) ?? '')?.[1] : typed[at + 1]
  return `partner doctor${profile === undefined ? '' : ` --profile ${shellWord(profile)}`}`
}
