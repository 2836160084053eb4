import { compile, getRegisteredFunctions, TreeInterpreter } from '@jmespath-community/jmespath'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { escapeRawStrings, extendLibrary, type Node, parseExactDecimals, type Value } from './query/language.ts'

export interface Found {
  /** The result as JSON with exact numbers, or the text `null` if nothing was found. */
  readonly json: string
  /**
   * `list` if the result is a list of complete records, `one` if it is a single complete record, or `null` otherwise.
   */
  readonly whole: 'list' | 'one' | null
}

export interface Query {
  /**
   * The members of each resulting record, or `null` if they are unknown. A member's `path` is its path in the original
   * record, or `null` if its value is computed.
   */
  readonly members: readonly { readonly name: string; readonly path: string | null }[] | null
  /** Applies the expression to JSON. Throws USAGE if that fails, for example if the expression adds strings. */
  apply(json: string): Found
}

const HINT = 'see https://jmespath.site; in a shell, put the expression in single quotes'

/** Parses an expression. Throws USAGE if it is invalid or calls an unknown function. */
export function openQuery(expression: string): Query {
  extendLibrary()
  const node = parsed(expression)
  return {
    members: resultMembers(node),
    apply: (json) => {
      try {
        const answer = parseExactDecimals(json)
        const found = TreeInterpreter.search(node, answer)
        return { json: JSON.stringify(found) ?? 'null', whole: classifyWholeRecords(found, answer) }
      } catch (error) {
        throw new Failure('USAGE', `--query cannot be applied to the response: ${describeError(error)}`, {
          hint: 'print the response with -o json to see its members',
          guide: 'output',
          cause: error,
        })
      }
    },
  }
}

function parsed(expression: string): Node {
  try {
    // Accept unquoted text between backticks, because other JMESPath tools do.
    const node = compile(escapeRawStrings(expression), { enable_legacy_literals: true })
    for (const call of findFunctionCalls(node)) checkCall(call)
    return node
  } catch (error) {
    const problem = `--query is not a JMESPath expression: ${describeError(error)}`
    throw usageFailure([problem], `nothing was sent; ${HINT}`, 'output')
  }
}

/** Recognizes complete records by identity, because the library does not copy the objects that it returns. */
function classifyWholeRecords(found: Value, answer: Value): Found['whole'] {
  const records = new Set<Value>(Array.isArray(answer) ? answer : [answer])
  if (!Array.isArray(found)) return typeof found === 'object' && found !== null && records.has(found) ? 'one' : null
  return found.every((one) => typeof one === 'object' && !Array.isArray(one) && records.has(one)) ? 'list' : null
}

/** Returns the members of an expression such as `[id, a.b]` or `{id: id, b: a.b}`, or `null` for other expressions. */
function resultMembers(node: Node): Query['members'] {
  if (node.type === 'MultiSelectList')
    return node.children.map((child, index) => ({ name: pathOf(child) ?? String(index), path: pathOf(child) }))
  if (node.type === 'MultiSelectHash') return node.children.map(({ name, value }) => ({ name, path: pathOf(value) }))
  if (node.type === 'Pipe') return resultMembers(node.right) ?? resultMembers(node.left)
  return 'right' in node && /Projection$/.test(node.type) ? resultMembers(node.right as Node) : null
}

function pathOf(node: Node): string | null {
  if (node.type === 'Field') return node.name
  if (node.type !== 'Subexpression') return null
  const [left, right] = [pathOf(node.left), pathOf(node.right)]
  return left === null || right === null ? null : `${left}.${right}`
}

type FunctionCall = Extract<Node, { type: 'Function' }>

function findFunctionCalls(node: unknown): FunctionCall[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'type' in node && node.type === 'Function' ? [node as FunctionCall] : []
  return [...own, ...Object.values(node).flatMap(findFunctionCalls)]
}

/** Throws an Error if a function does not exist or is called with the wrong number of arguments. */
function checkCall({ name, children }: FunctionCall): void {
  const known = getRegisteredFunctions()
  if (!known.includes(name)) {
    const near = findNearest(name, known)
    throw new Error(`JMESPath has no function ${name}()${near ? `; did you mean ${near}()?` : ''}`)
  }
  try {
    const nothing: Node = { type: 'Literal', value: null }
    TreeInterpreter.search({ type: 'Function', name, children: children.map(() => nothing) }, null)
  } catch (error) {
    if (describeError(error).startsWith('Invalid arity')) throw error
  }
}

function describeError(error: unknown): string {
  // The parser recurses at each bracket, so deep nesting overflows the stack.
  if (error instanceof RangeError) return 'it is nested too deeply'
  return error instanceof Error ? error.message.replace(/\s*\n\s*/g, ' ') : String(error)
}
