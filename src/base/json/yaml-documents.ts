import type { Document, LineCounter, ParsedNode } from 'yaml'
import { MAX_DEPTH, TooDeepError } from './parse.ts'

/** The documents of a YAML text, and what is needed to look into them. */
export interface YamlDocuments {
  readonly yaml: typeof import('yaml')
  /** Their syntax errors are in `errors`. Empty for an empty text. */
  readonly documents: readonly Document.Parsed<ParsedNode>[]
  readonly lines: LineCounter
}

const COLLECTIONS: readonly string[] = ['block-map', 'block-seq', 'flow-collection']

/**
 * Reads YAML text, of which JSON is a part. Loads yaml.
 * @param uniqueKeys whether a name that an object has twice is an error; looking for one takes the square of their number.
 * Fails: {@link TooDeepError}, with the place, before the parser of yaml runs out of stack.
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
