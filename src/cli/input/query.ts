import { compile, getRegisteredFunctions, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { findNearest } from '../../failure/nearest.ts'
import type { ExactNumber } from '../../json/exact.ts'

/** A JMESPath expression, ready to be applied. */
export interface Query {
  /**
   * Applies it to JSON and gives JSON: null where it finds nothing, numbers digit for digit.
   * Fails: USAGE when it does not fit this value, such as the sum of texts.
   */
  apply(json: string): string
}

type Node = ReturnType<typeof compile>
type Value = Parameters<typeof TreeInterpreter.search>[1]
/** The library's interpreter; the library makes another one for each `let`. */
interface Interpreter {
  visit(node: Node, value: Value): Value
  readonly runtime: { getTypeName(value: unknown): number | undefined }
}

const NUMBER_TYPE = 0
const HINT = 'see https://jmespath.site; in a shell, put the expression in single quotes'

/** A number whose digits a float would not give back. It counts as its value and prints as it was written. */
class Digits extends Number {
  readonly text: string

  constructor(text: string) {
    super(text)
    this.text = text
  }

  toJSON(): ExactNumber {
    return JSON.rawJSON(this.text)
  }
}

/** Reads an expression. Fails: USAGE when it is not valid or calls an unknown function. */
export function openQuery(expression: string): Query {
  teach()
  const node = parsed(expression)
  return {
    apply: (json) => {
      try {
        const value = TreeInterpreter.search(node, withDigits(json))
        return JSON.stringify(value) ?? 'null'
      } catch (error) {
        throw new Failure('USAGE', `--query does not fit the answer: ${wordsOf(error)}`, {
          hint: 'look at the answer with -o json first',
          cause: error,
        })
      }
    },
  }
}

function parsed(expression: string): Node {
  try {
    // Other tools accept text in back quotes without quotation marks, so people expect it.
    const node = compile(expression, { enable_legacy_literals: true })
    for (const call of functionsIn(node)) checkCall(call)
    return node
  } catch (error) {
    throw usageFailure([`--query is not a JMESPath expression: ${wordsOf(error)}`], `${HINT}; nothing was sent`)
  }
}

type FunctionCall = Extract<Node, { type: 'Function' }>

function functionsIn(node: unknown): FunctionCall[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'type' in node && node.type === 'Function' ? [node as FunctionCall] : []
  return [...own, ...Object.values(node).flatMap(functionsIn)]
}

/** Checks the name of a function and its number of arguments. Fails: Error. */
function checkCall({ name, children }: FunctionCall): void {
  const known = getRegisteredFunctions()
  if (!known.includes(name)) {
    const near = findNearest(name, known)
    throw new Error(`there is no function ${name}()${near ? `; did you mean ${near}()?` : ''}`)
  }
  try {
    const nothing: Node = { type: 'Literal', value: null }
    TreeInterpreter.search({ type: 'Function', name, children: children.map(() => nothing) }, null)
  } catch (error) {
    if (wordsOf(error).startsWith('Invalid arity')) throw error
  }
}

function withDigits(json: string): Value {
  return JSON.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? new Digits(source) : value,
  ) as Value
}

let taught = false

/**
 * Teaches the library what {@link Digits} are, and mends what it gets wrong: it sorts numbers as texts, takes the largest of
 * many by a call that overflows the stack, and finds members that objects have only by inheritance.
 */
function teach(): void {
  if (taught) return
  taught = true
  const interpreter = Object.getPrototypeOf(TreeInterpreter) as Interpreter
  const runtime = Object.getPrototypeOf(TreeInterpreter.runtime) as Interpreter['runtime']
  const { visit } = interpreter
  const { getTypeName } = runtime
  runtime.getTypeName = function (value) {
    return value instanceof Digits ? NUMBER_TYPE : getTypeName.call(this, value)
  }
  interpreter.visit = function (node, value) {
    if (node.type === 'Field') return fieldOf(value, node.name)
    if (node.type === 'Comparator' || node.type === 'Arithmetic')
      return visit.call(
        this,
        { ...node, left: literal(this, node.left, value), right: literal(this, node.right, value) },
        value,
      )
    if (node.type === 'Unary') return visit.call(this, { ...node, operand: literal(this, node.operand, value) }, value)
    if (node.type === 'ValueProjection' && visit.call(this, node.left, value) instanceof Digits) return null
    return visit.call(this, node, value)
  }
  const anyOrder = [{ types: [8, 9] }]
  const override = { override: true }
  registerFunction('sort', ([list]) => [...(list as Value[])].sort(inOrder), anyOrder, override)
  registerFunction('max', ([list]) => extreme(list as Value[], 1), anyOrder, override)
  registerFunction('min', ([list]) => extreme(list as Value[], -1), anyOrder, override)
  registerFunction('sum', ([list]) => exactSum(list as Value[]), [{ types: [8] }], override)
  registerFunction(
    'contains',
    ([where, what]) =>
      Array.isArray(where)
        ? where.some((item) => equal(item, what ?? null))
        : typeof where === 'string' && typeof what === 'string' && where.includes(what),
    [{ types: [2, 3] }, { types: [1] }],
    override,
  )
}

function equal(a: unknown, b: unknown): boolean {
  return (TreeInterpreter as unknown as Interpreter).visit(compile('[0] == [1]'), [a, b] as Value) === true
}

/** The value of an operand in a form that the library can compute with. */
function literal(interpreter: Interpreter, operand: Node, value: Value): Node {
  return { type: 'Literal', value: plain(interpreter.visit(operand, value)) }
}

function fieldOf(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Digits) return null
  return Object.hasOwn(value, name) ? ((value as { [member: string]: Value })[name] ?? null) : null
}

/** The same with floats in place of {@link Digits}. */
function plain(value: Value): Value {
  if (value instanceof Digits) return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

function inOrder(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

function extreme(list: readonly Value[], sign: 1 | -1): Value {
  return list.reduce<Value>((best, one) => (best === null || inOrder(one, best) * sign > 0 ? one : best), null)
}

/** Money is added up here: no digit goes through a float. */
function exactSum(list: readonly Value[]): Value {
  const texts = list.map((value) => (value instanceof Digits ? value.text : String(value)))
  if (!texts.every((text) => /^-?\d+(?:\.\d+)?$/.test(text))) return texts.reduce((sum, text) => sum + Number(text), 0)
  const decimals = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const scaled = texts.map((text) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(decimals, '0'))
  })
  const sum = scaled.reduce((total, one) => total + one, 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const text = `${sum < 0n ? '-' : ''}${digits.slice(0, cut)}${decimals === 0 ? '' : `.${digits.slice(cut)}`}`
  return String(Number(text)) === text ? Number(text) : (new Digits(text) as unknown as Value)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\s*\n\s*/g, ' ') : String(error)
}
