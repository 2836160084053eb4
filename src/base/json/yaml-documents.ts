import type { Document, LineCounter, ParsedNode } from 'yaml'
import { MAX_DEPTH, TooDeepError } from './parse.ts'

export interface YamlDocuments {
  readonly yaml: typeof import('yaml')
  /** The parsed documents, each with its own syntax errors. Empty if the text contains no document. */
  readonly documents: readonly Document.Parsed<ParsedNode>[]
  readonly lines: LineCounter
}

const COLLECTIONS: readonly string[] = ['block-map', 'block-seq', 'flow-collection']

/**
 * Parses YAML or JSON. With `uniqueKeys`, repeated names are reported, but parsing takes quadratic time. Throws {@link
 * TooDeepError}.
 */
export async function readYamlDocuments(text: string, uniqueKeys: boolean): Promise<YamlDocuments> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const parser = new yaml.Parser(lines.addNewLine)
  const tokens = function* () {
    lines.addNewLine(0)
    for (const lexeme of new yaml.Lexer().lex(text)) {
      yield* parser.next(lexeme)
      const { stack, offset } = parser
      if (stack.length > MAX_DEPTH && stack.filter(({ type }) => COLLECTIONS.includes(type)).length > MAX_DEPTH)
        throw new TooDeepError(MAX_DEPTH, lines.linePos(Math.max(0, offset - 1)))
    }
    yield* parser.end()
  }
  const composer = new yaml.Composer({ prettyErrors: false, uniqueKeys, logLevel: 'silent' })
  return { yaml, lines, documents: [...composer.compose(tokens())] as Document.Parsed<ParsedNode>[] }
}
