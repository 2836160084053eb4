import { compile, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import type { ExactNumber } from '../../../base/json/exact.ts'

export type Node = ReturnType<typeof compile>
/** A JSON value, typed as the library expects. */
export type Value = Parameters<typeof TreeInterpreter.search>[1]
interface Interpreter {
  visit(node: Node, value: Value): Value
  readonly runtime: { getTypeName(value: unknown): number | undefined }
}

const NUMBER_TYPE = 0

/**
 * A number that a float cannot represent exactly. It is printed as it was written, but calculations use the nearest
 * float.
 */
class ExactDecimal extends Number {
  readonly text: string

  constructor(text: string) {
    super(text)
    this.text = text
  }

  toJSON(): ExactNumber {
    return JSON.rawJSON(this.text)
  }
}

/**
 * Parses JSON. Numbers that a float cannot represent become {@link ExactDecimal}s. Throws SyntaxError for invalid JSON.
 */
export function parseExactDecimals(json: string): Value {
  return JSON.parse(json, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? new ExactDecimal(source) : value,
  ) as Value
}

let isExtended = false

/**
 * Makes the library support {@link ExactDecimal}. Also fixes three of the library's bugs: sorting numbers, `max` on
 * long lists, and inherited members.
 */
export function extendLibrary(): void {
  if (isExtended) return
  isExtended = true
  const interpreter = Object.getPrototypeOf(TreeInterpreter) as Interpreter
  const runtime = Object.getPrototypeOf(TreeInterpreter.runtime) as Interpreter['runtime']
  const { visit } = interpreter
  const { getTypeName } = runtime
  runtime.getTypeName = function (value) {
    return value instanceof ExactDecimal ? NUMBER_TYPE : getTypeName.call(this, value)
  }
  interpreter.visit = function (node, value) {
    if (node.type === 'Field') return readField(value, node.name)
    const constant = (operand: Node): Node => ({ type: 'Literal', value: plain(this.visit(operand, value)) })
    if (node.type === 'Comparator' || node.type === 'Arithmetic')
      return visit.call(this, { ...node, left: constant(node.left), right: constant(node.right) }, value)
    if (node.type === 'Unary') return visit.call(this, { ...node, operand: constant(node.operand) }, value)
    if (node.type === 'ValueProjection' && visit.call(this, node.left, value) instanceof ExactDecimal) return null
    return visit.call(this, node, value)
  }
  const anyOrder = [{ types: [8, 9] }]
  const override = { override: true }
  registerFunction('sort', ([list]) => [...(list as Value[])].sort(compareValues), anyOrder, override)
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

function readField(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactDecimal) return null
  return Object.hasOwn(value, name) ? ((value as { [member: string]: Value })[name] ?? null) : null
}

function plain(value: Value): Value {
  if (value instanceof ExactDecimal) return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

function extreme(list: readonly Value[], sign: 1 | -1): Value {
  return list.reduce<Value>((best, one) => (best === null || compareValues(one, best) * sign > 0 ? one : best), null)
}

function exactSum(list: readonly Value[]): Value {
  const texts = list.map((value) => (value instanceof ExactDecimal ? value.text : String(value)))
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
  return String(Number(text)) === text ? Number(text) : (new ExactDecimal(text) as unknown as Value)
}

/**
 * Escapes backslashes in raw strings `'…'`, where `\\'` is the only escape. The library would merge two backslashes
 * into one.
 */
export function escapeRawStrings(expression: string): string {
  return expression.replace(/"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\])*'/gs, (quoted) =>
    quoted.startsWith("'") ? quoted.replace(/\\./gs, (pair) => (pair === '\\\\' ? pair + pair : pair)) : quoted,
  )
}
