/**
 * Synonyms, each with the partner words that it may mean, most probable first. Spaces separate synonyms and meanings.
 */
type Meaning = readonly [words: string, ours: string]

const READING: readonly Meaning[] = [
  ['get show view describe read info inspect retrieve fetch lookup', 'get show'],
  ['look-up detail details cat open display print', 'get show'],
  ['balance value remaining worth', 'get balance show'],
  ['list ls search find all index query filter browse history select-all export dump scan', 'list journal'],
  ['status state', 'statuses get show check'],
  ['codes stages', 'statuses'],
  ['availability available slots free times services openings timetable calendar', 'schedule'],
  ['seats layout floor', 'tables'],
  ['check test ping validate verify health doctor', 'check verify'],
  ['log logs requests traffic trace tail', 'journal'],
  ['hooks webhooks events attempts', 'deliveries'],
  ['changes updates recent', 'list'],
  ['time now date', 'clock'],
  ['start serve run up launch server listen mock', 'start'],
  ['wrap with', 'exec'],
  ['reconcile explain', 'resolve'],
  ['why refused reason', 'explain'],
  ['card gift voucher', 'giftcard'],
]

const WRITING: readonly Meaning[] = [
  ['create new make add insert register subscribe post put init', 'create add'],
  ['book reserve', 'create'],
  ['update edit modify change patch set', 'update set'],
  ['reschedule move', 'update'],
  ['delete remove rm del drop destroy erase clear clean unset uninstall', 'delete remove clear'],
  ['cancel void revoke deactivate disable block', 'cancel update-status'],
  ['redeem spend charge pay consume burn debit', 'redeem'],
  ['use', 'use redeem'],
  ['switch select activate default', 'use'],
  ['opt-out optout unsub', 'unsubscribe'],
  ['resize', 'update-pax'],
  ['reassign', 'update-tables'],
  ['fill populate generate', 'seed'],
  ['forward skip', 'advance'],
  ['wipe flush', 'reset'],
]

export const TOPIC_WORDS: Readonly<Record<string, string>> = indexByWord([
  ['diary bookings', 'bookings'],
  ['card cards gift gifts voucher vouchers giftvoucher giftvouchers', 'giftcards'],
  ['guest guests client clients contact contacts people diner diners', 'customers'],
  ['hook hooks subscription subscriptions', 'webhooks'],
  ['order orders receipt receipts bill bills transaction transactions pos', 'sales'],
  ['op ops pending', 'operations'],
  ['account accounts context contexts env envs environment environments auth', 'profiles'],
  ['mock simulator emulator', 'sandbox'],
  ['failures errors chaos', 'faults'],
])

export const WHOLE_WORDS: Readonly<Record<string, string>> = indexByWord([
  ['login log-in signin sign-in configure setup set-up init auth-login', 'profiles add'],
  ['logout log-out signout sign-out', 'profiles remove'],
  ['whoami who me current', 'profiles show'],
  ['settings setting configuration env vars', 'config'],
  ['ping health status', 'profiles check'],
  ['diagnose diagnosis diagnostics troubleshoot debug healthcheck health-check selftest self-test', 'doctor'],
  ['use switch', 'profiles use'],
  ['redeem', 'giftcards redeem'],
  ['balance', 'giftcards get'],
  ['get post patch put delete request raw curl http', 'api'],
  ['serve mock', 'sandbox start'],
  ['availability slots', 'bookings schedule'],
  ['unsubscribe', 'customers unsubscribe'],
  ['verify', 'sign verify'],
  ['reserve', 'reservations create'],
])

const READING_VERBS = indexByWord(READING)
const WRITING_VERBS = indexByWord(WRITING)

/** Returns the partner verbs that a word may mean, most probable first, or `null` if the word is unknown. */
export function verbsFor(word: string): { readonly verbs: readonly string[]; readonly isWriting: boolean } | null {
  const reading = lookUpWord(READING_VERBS, word)
  const writing = lookUpWord(WRITING_VERBS, word)
  if (reading !== undefined) return { verbs: reading.split(' '), isWriting: false }
  return writing === undefined ? null : { verbs: writing.split(' '), isWriting: true }
}

export function lookUpWord(table: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/**
 * Maps each word to its meanings. A word must not occur twice, because its later meanings would replace the earlier
 * ones.
 */
export function indexByWord(meanings: readonly Meaning[]): Readonly<Record<string, string>> {
  return Object.fromEntries(meanings.flatMap(([words, meant]) => words.split(' ').map((word) => [word, meant])))
}
