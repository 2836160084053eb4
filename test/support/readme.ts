import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './partner.ts'

/** A block of README.md that users paste into a shell, with the output that is shown below it. */
export interface ReadmeBlock {
  /**
   * The text of the comment on the line above the block: `first`, `second`, or `yours` if the block needs the reader's
   * own data.
   */
  readonly mark: string | null
  readonly script: string
  /** The documented output, or `null` if README.md shows none. A `…` line matches any number of lines. */
  readonly output: string | null
}

/** Returns all blocks of README.md that users paste into a shell, in order. */
export function readmeBlocks(): ReadmeBlock[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const form = /(?:^<!-- (\w+) -->\n)?^```sh\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm
  return [...text.matchAll(form)].map(([, mark = null, script = '', output = null]) => ({ mark, script, output }))
}
