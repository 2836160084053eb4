import { findNearest } from '../../../base/failure/nearest.ts'
import { lookUpWord, TOPIC_WORDS, verbsFor, WHOLE_WORDS } from './other-words.ts'

const HARMLESS_VERBS = new Set(
  `list get show schedule statuses tables balance check journal deliveries verify clock start exec resolve config sign env
  explain booking giftcard sale`.split(/\s+/),
)

/**
 * Returns the command or topic that mistyped words probably mean. A command that writes is suggested only for a synonym
 * or a close misspelling.
 */
export function suggestCommand(typed: readonly string[], ids: readonly string[]): string | null {
  const [first = '', ...others] = typed.map(kebab)
  // The user pasted a whole command, such as `partner partner bookings list`.
  if (first === 'partner' && others.length > 0)
    return ids.includes(others.join(' ')) ? others.join(' ') : suggestCommand(others, ids)
  const topics = childrenOf('', ids)
  const whole = lookUpWord(WHOLE_WORDS, first)
  if (whole !== undefined && others.length === 0 && !topics.includes(first) && ids.includes(whole)) return whole
  const topic = matchTopic(first, topics)
  if (topic !== null) {
    const found = suggestWithin(topic, others, ids, topic === typed[0])
    return found === null && topic === 'reservations' ? suggestWithin('bookings', others, ids, true) : found
  }
  // The user typed the verb first, as in other tools: `get booking`.
  const [second = '', ...more] = others
  const reversed = verbsFor(first) === null ? null : matchTopic(second, topics)
  if (reversed !== null) return suggestWithin(reversed, [first, ...more], ids, false)
  if (whole !== undefined && ids.includes(whole)) return whole
  const near = findNearest(first, topics, maxEdits(first))
  return near === null ? null : suggestWithin(near, others, ids, false)
}

/** Converts `updatePax` and `update_pax` to `update-pax`. */
export function kebab(word: string): string {
  return word
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

function maxEdits(word: string): number {
  return Math.max(1, Math.floor(word.length / 3))
}

/**
 * Suggests a command below `prefix`. If `isTyped` is true, the user typed `prefix` correctly, so a topic with that name
 * is not suggested.
 */
function suggestWithin(
  prefix: string,
  typed: readonly string[],
  ids: readonly string[],
  isTyped: boolean,
): string | null {
  const children = childrenOf(prefix, ids)
  const [next, ...others] = typed
  const isCommand = ids.includes(prefix)
  if (children.length === 0 || next === undefined) return isTyped && !isCommand ? null : prefix
  const child = matchChild(next, children, prefix, ids)
  if (child !== null) return suggestWithin(`${prefix} ${child}`, others, ids, false)
  return isTyped && !isCommand ? null : prefix
}

function childrenOf(prefix: string, ids: readonly string[]): string[] {
  const start = prefix === '' ? '' : `${prefix} `
  return [...new Set(ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length).split(' ')[0] ?? ''))]
}

function matchTopic(word: string, topics: readonly string[]): string | null {
  if (topics.includes(word)) return word
  const bare = word.replaceAll('-', '')
  const other = lookUpWord(TOPIC_WORDS, bare)
  if (other !== undefined && topics.includes(other)) return other
  return topics.find((topic) => topic === bare || topic === `${bare}s` || `${topic}s` === bare) ?? null
}

function matchChild(word: string, children: readonly string[], prefix: string, ids: readonly string[]): string | null {
  const bare = word.replaceAll('-', '')
  const same = matchTopic(word, children) ?? children.find((child) => child.replaceAll('-', '') === bare)
  if (same) return same
  const isWriting = (child: string) => ids.includes(`${prefix} ${child}`) && !HARMLESS_VERBS.has(child)
  const known = verbsFor(word)
  if (known !== null) {
    const meant = known.verbs.find((verb) => children.includes(verb) && (known.isWriting || !isWriting(verb)))
    return meant ?? null
  }
  // The user typed an ID without a verb, such as `bookings BK-1001`.
  if (/\d/.test(word)) return children.find((child) => child === 'get' || child === 'show') ?? null
  const reading = children.filter((child) => !isWriting(child))
  return nearestWriteCommand(word, children.filter(isWriting)) ?? findNearest(word, reading, maxEdits(word))
}

/**
 * Finds the write command whose name the user misspelled. The first letter must match, and short words must match
 * closely.
 */
function nearestWriteCommand(word: string, verbs: readonly string[]): string | null {
  if (word.length < 5) return verbs.find((verb) => verb.length === word.length + 1 && verb.startsWith(word)) ?? null
  const alike = verbs.filter((verb) => verb[0] === word[0])
  return findNearest(word, alike, word.length < 10 ? 1 : 2)
}
