import { findNearest } from '../../../base/failure/nearest.ts'
import { GLOBAL_FLAGS } from '../flags.ts'
import { findArgumentForFlag, hintWithArgument } from './misplaced.ts'
import { indexByWord, lookUpWord } from './other-words.ts'
import { kebab } from './suggest-command.ts'

/** Synonyms of flags, each with the partner flags that it may mean, most probable first. Each synonym occurs once. */
const FLAG_WORDS: Readonly<Record<string, string>> = indexByWord([
  ['format fmt output-format out-format outputformat template', 'output'],
  ['csv tsv ndjson table yaml text', 'output'],
  ['pax party party-size size covers guests persons num-of-people number-of-people', 'people'],
  ['count', 'people limit'],
  ['max max-items max-results first top take n number', 'limit'],
  ['per-page pagesize batch batch-size', 'page-size'],
  ['all all-pages auto-paginate', 'paginate'],
  ['env environment account context project config-profile', 'profile'],
  ['url endpoint endpoint-url host server api-base', 'base-url'],
  ['jq jmespath jmes-path filter expression select', 'query'],
  ['fields cols column props', 'columns'],
  ['field', 'set columns'],
  ['debug trace verbosity loud', 'verbose'],
  ['silent s', 'quiet'],
  ['non-interactive no-interactive no-prompt no-prompts batch-mode disable-prompts', 'no-input'],
  ['colour color no-colour nocolor nocolour monochrome', 'no-color'],
  ['assume-yes confirm no-confirm force auto-approve skip-confirmation f', 'yes'],
  ['dryrun what-if simulate plan preview noop', 'dry-run'],
  ['max-time connect-timeout read-timeout cli-read-timeout cli-connect-timeout request-timeout', 'timeout'],
  ['retry max-retries max-attempts attempts', 'retries'],
  ['body payload request-body json-body input file d data-raw data-binary cli-input-json', 'data'],
  ['raw-field F property', 'set param'],
  ['parameter params query-param', 'param'],
  ['H headers', 'header'],
  ['i show-headers', 'include'],
  ['no-verify skip-validation no-check skip-checks', 'no-validate'],
  ['start start-date start-time begin since after from-date gte', 'from updated-from issued-from'],
  ['end end-date end-time until before to-date lte', 'to updated-to issued-to'],
  ['modified-since changed-since updated-since updated-after updated-from-date', 'updated-from'],
  ['modified-until updated-before updated-to-date updated-until', 'updated-to'],
  ['day on', 'date'],
  ['when', 'date time'],
  ['at datetime booking-time', 'time'],
  ['utc time-as-utc booking-time-as-utc', 'time-utc'],
  ['order order-by sort-by', 'sort'],
  ['value sum total price', 'amount total-cents'],
  ['mail e-mail issued-to-email', 'email guest search'],
  ['tel mobile telephone phone-number', 'phone guest search'],
  ['note comment comments memo message', 'notes'],
  ['zip zipcode postcode zip-code post-code', 'postal-code'],
  ['name', 'first-name guest search'],
  ['surname family-name last-name', 'last-name guest search'],
  ['phone email customer', 'guest search'],
  ['today tomorrow yesterday', 'date from'],
  ['given-name', 'first-name'],
  ['address street', 'line1'],
  ['tables', 'table'],
  ['length minutes', 'duration'],
  ['guest with-customer include-guest expand with-guests', 'include-customer'],
  ['no-cancelled without-cancelled hide-cancelled', 'exclude-cancelled'],
  ['event-url webhook-url callback', 'url'],
  ['search q term', 'search guest query'],
  ['id', 'sale-id booking-id customer-id'],
  ['v version', 'version'],
])

const FORMATS = new Set(['csv', 'tsv', 'ndjson', 'table'])

const DAYS = new Set(['today', 'tomorrow', 'yesterday'])

/** Matches the names of secrets. No command has a flag with any of these names. */
const SECRET = /^(?:api-?key|key|token|api-?token|secret|password|auth|bearer|x-api-key)$/

const NEEDS_CLOSE_MATCH = new Set(['force', 'yes', 'no-validate'])

const LONGEST_FLAG = 80

type Words = readonly string[]

/**
 * Describes the problem with a flag that a command does not have. `argv` contains the words after the command's name.
 * If the returned hint is `null`, callers refer to the command's help page.
 */
export function unknownFlag(typed: string, id: string, names: Words, args: Words = [], argv: Words = []) {
  const whole = typed.replace(/=.*$/s, '')
  const name = whole.length > LONGEST_FLAG ? `${whole.slice(0, LONGEST_FLAG)}…` : whole
  const bare = name.replace(/^-+/, '')
  const word = kebab(bare)
  const unknown = (more: string, hint: string | null = null) => ({ problem: `unknown flag ${name}${more}`, hint })
  if (SECRET.test(word)) {
    const reference = secretFlag(word).find((flag) => names.includes(flag))
    if (reference !== undefined) return unknown(`; did you mean --${reference}?`)
    const variable = secretVariable(id, names)
    if (variable === null) return unknown(`: partner ${id} does not use a key`)
    return unknown(
      '',
      `never pass a secret as an argument: set ${variable}, or store it in a profile (partner profiles add --help)`,
    )
  }
  if (/^--?(?:data|set)$/.test(name) && names.includes('param') && !names.includes('data'))
    return unknown('', 'use --param k=v for an extra query parameter: this command sends no body')
  const isCaller = names.includes('har')
  const what =
    name === '--no-validate' && isCaller
      ? 'does not check values'
      : isCaller
        ? 'only reads'
        : names.includes('profile')
          ? 'does not accept this global flag'
          : 'does not call the service'
  if (GLOBAL_FLAGS.some((flag) => name === `--${flag.name}` || name === `-${flag.char}`))
    return unknown(`: partner ${id} ${what}`)
  if (name === `--${bare}` && names.includes(bare)) return { problem: `${name} takes no value`, hint: null }
  const argument = findArgumentForFlag(word, args)
  if (argument !== null)
    return unknown(
      `; ${argument.toUpperCase()} is an argument, not a flag`,
      hintWithArgument(id, argv, typed, args.indexOf(argument) === 0),
    )
  const meant = suggestFlag(bare, names)
  return unknown(meant === null ? '' : `; did you mean ${meant}?`)
}

function secretVariable(id: string, names: readonly string[]): string | null {
  if (/^(?:inbound|sign)(?: |$)/.test(id)) return 'PARTNER_SIGNING_SECRET'
  return names.includes('har') ? 'PARTNER_API_KEY' : null
}

function secretFlag(word: string): readonly string[] {
  if (word === 'secret') return ['signing-secret', 'security-key']
  return word.endsWith('token') ? ['security-token', 'api-key'] : ['security-key', 'api-key']
}

function suggestFlag(bare: string, names: readonly string[]): string | null {
  const word = kebab(bare)
  const same = names.find((name) => name === word || name.replaceAll('-', '') === word.replaceAll('-', ''))
  if (same !== undefined) return `--${same}`
  const other = (lookUpWord(FLAG_WORDS, bare) ?? lookUpWord(FLAG_WORDS, word))
    ?.split(' ')
    .find((flag) => names.includes(flag))
  if (other === 'output') return FORMATS.has(word) ? `-o ${word}` : '-o'
  if (other !== undefined) return DAYS.has(word) ? `--${other} ${word}` : `--${other}`
  if (bare.length < 2) return null
  const near = findNearest(word, names)
  if (near === null || (NEEDS_CLOSE_MATCH.has(near) && findNearest(word, [near], 1) === null)) return null
  return `--${near}`
}
