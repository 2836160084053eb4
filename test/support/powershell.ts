import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Language, type Node, Parser } from '@vscode/tree-sitter-wasm'

const FOLDER = join(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'), '..')

let started: Promise<Parser> | null = null

/**
 * Parses a PowerShell script with the grammar that Visual Studio Code uses. Returns a line for each syntax error. The
 * grammar wrongly rejects unquoted lists (`a, b`) and single dashes, so scripts must quote them.
 */
export async function syntaxErrors(script: string): Promise<readonly string[]> {
  started ??= start()
  const tree = (await started).parse(script)
  if (tree === null) throw new Error('the parser was not set up')
  return errorsIn(tree.rootNode)
}

async function start(): Promise<Parser> {
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(join(FOLDER, 'tree-sitter-powershell.wasm')))
  return parser
}

function errorsIn(node: Node): string[] {
  const { startPosition, text, type } = node
  const where = `line ${startPosition.row + 1}, column ${startPosition.column + 1}`
  if (node.isMissing) return [`${where}: ${type} is missing`]
  const inside = node.children.flatMap((child) => (child === null ? [] : errorsIn(child)))
  return node.isError ? [`${where}: cannot parse ${text.slice(0, 60)}`, ...inside] : inside
}
