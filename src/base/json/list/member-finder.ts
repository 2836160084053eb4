import { skipSpace } from '../bytes.ts'
import { MAX_DEPTH } from '../parse.ts'
import { findPlainEnd, findScalarEnd, findStringEnd, ValueScanner } from '../scan.ts'

/** One step in a path: a member of an object or an element of a list. */
interface Step {
  /** The member's name in quotation marks, followed by a colon. */
  readonly key: Uint8Array
  /** The indices of the paths that end with this step. */
  readonly ends: number[]
  /** The steps that can follow in longer paths. */
  inner: Steps | null
  /** Whether the name contains dots, as in `customer.name`. Such a member takes precedence over the nested value. */
  isDotted: boolean
  /** The number of the last record that contained this member. */
  seenIn: number
  /** The member that followed this member in the last record. */
  next: Step | null
}

/**
 * The maximum number of remembered members that are not part of any path. Names longer than {@link LONGEST_OTHER} bytes
 * are not remembered.
 */
const MOST_OTHERS = 100
const LONGEST_OTHER = 100
const COLON = Buffer.from(':')

/**
 * The members of a value that are named in paths or occurred in earlier records. The next record probably has the same
 * members.
 */
class Steps {
  first: Step | null = null
  readonly byIndex = new Map<number, Step>()
  readonly #byLength: Step[][] = []
  #others = 0

  /** Returns the step for a name in a path. Adds the step if it is missing. */
  of(name: string): Step {
    const key = Buffer.from(`"${name}":`)
    const step = this.#find(key, 0, key.length - 1) ?? this.#add(key)
    if (/^\d+$/.test(name)) this.byIndex.set(Number(name), step)
    return step
  }

  /**
   * Returns the step for a quoted name and adds it if it is missing. Returns `null` if it cannot be added, because its
   * name is too long or the maximum number of steps is reached.
   */
  at(bytes: Uint8Array, from: number, to: number): Step | null {
    const step = this.#find(bytes, from, to)
    if (step !== null || this.#others === MOST_OTHERS || to - from > LONGEST_OTHER) return step
    this.#others++
    return this.#add(Buffer.concat([bytes.subarray(from, to), COLON]))
  }

  #find(bytes: Uint8Array, from: number, to: number): Step | null {
    for (const step of this.#byLength[to - from] ?? []) if (isAt(bytes, from, step.key, to - from)) return step
    return null
  }

  #add(key: Uint8Array): Step {
    const step = { key, ends: [], inner: null, isDotted: false, seenIn: 0, next: null }
    this.#byLength[key.length - 1] ??= []
    this.#byLength[key.length - 1]?.push(step)
    return step
  }
}

/** Finds values by path in the bytes of a record, without parsing it. Gives up if the record needs a real parser. */
export class MemberFinder {
  /** For each path, the index at which its value begins. */
  readonly from: Int32Array
  /** For each path, the index after its value, or 0 if the record has no value there. */
  readonly to: Int32Array
  readonly #steps = new Steps()
  readonly #scanner = new ValueScanner(MAX_DEPTH)
  readonly #canFind: boolean
  #records = 0

  constructor(paths: readonly string[]) {
    this.from = new Int32Array(paths.length)
    this.to = new Int32Array(paths.length)
    // Two kinds of valid paths are not supported here: paths with leading zeros in an index, such as `00`, and paths
    // with lone surrogates, which UTF-8 cannot encode.
    this.#canFind = paths.every((path) => path.isWellFormed() && !/(?:^|\.)0\d+(?:\.|$)/.test(path))
    for (const [index, path] of paths.entries()) {
      let steps = this.#steps
      let rest = path
      for (let dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.')) {
        steps.of(rest).isDotted = true
        const step = steps.of(rest.slice(0, dot))
        step.inner ??= new Steps()
        steps = step.inner
        rest = rest.slice(dot + 1)
      }
      steps.of(rest).ends.push(index)
    }
  }

  /**
   * Searches the valid JSON at `from`. Returns false if that requires a real parser, for example because member names
   * are repeated or contain escapes.
   */
  find(bytes: Uint8Array, from: number): boolean {
    if (!this.#canFind || bytes[from] !== 0x7b /* { */) return false
    this.#records++
    this.to.fill(0)
    return this.#lookInto(bytes, from, this.#steps) > 0
  }

  /** Searches an object or list. Returns the index after it, or -1 if that requires a real parser. */
  #lookInto(bytes: Uint8Array, from: number, steps: Steps): number {
    const isList = bytes[from] === 0x5b /* [ */
    const close = (bytes[from] as number) + 2
    let at = skip(bytes, from + 1)
    if (bytes[at] === close) return at + 1
    let last: Step | null = null
    for (let index = 0; ; index++) {
      let step: Step | null = null
      if (isList) step = steps.byIndex.get(index) ?? null
      else {
        step = last === null ? steps.first : last.next
        if (step !== null && isAt(bytes, at, step.key, step.key.length)) at += step.key.length
        else {
          const end = findPlainEnd(bytes, at + 1) + 1
          if (end === 0) return -1
          step = steps.at(bytes, at, end)
          if (last === null) steps.first = step
          else last.next = step
          at = skip(bytes, end) + 1
        }
        at = skip(bytes, at)
        last = step
      }
      at = step === null ? this.#pass(bytes, at) : this.#take(bytes, at, step)
      if (at < 0) return -1
      at = skip(bytes, at)
      if (bytes[at] === close) return at + 1
      at = skip(bytes, at + 1)
    }
  }

  #take(bytes: Uint8Array, from: number, step: Step): number {
    if (step.isDotted || step.seenIn === this.#records) return -1
    step.seenIn = this.#records
    const { inner } = step
    const isOpening = bytes[from] === 0x7b || bytes[from] === 0x5b
    const end = inner !== null && isOpening ? this.#lookInto(bytes, from, inner) : this.#pass(bytes, from)
    for (let index = 0; index < step.ends.length; index++) {
      const path = step.ends[index] as number
      this.from[path] = from
      this.to[path] = end
    }
    return end
  }

  #pass(bytes: Uint8Array, from: number): number {
    const byte = bytes[from]
    if (byte === 0x22 /* " */) return findStringEnd(bytes, from, bytes.length)
    return byte === 0x7b || byte === 0x5b ? this.#scanner.findEnd(bytes, from) : findScalarEnd(bytes, from)
  }
}

function isAt(bytes: Uint8Array, from: number, text: Uint8Array, length: number): boolean {
  let at = 0
  while (at < length && bytes[from + at] === text[at]) at++
  return at === length
}

function skip(bytes: Uint8Array, from: number): number {
  return (bytes[from] as number) <= 0x20 ? skipSpace(bytes, from, bytes.length) : from
}
