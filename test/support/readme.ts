import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './partner.ts'

/** A block of README.md that is pasted into a shell, with the output that stands under it. */
export interface ReadmeBlock {
  /** What the comment on the line before says: `first`, `second`, or `yours` for one that needs the reader. */
  readonly mark: string | null
  readonly script: string
  /** Null when the page shows none. A line `…` stands for any number of lines. */
  readonly output: string | null
}

/** All blocks of README.md that are pasted into a shell, in their order. */
export function readmeBlocks(): ReadmeBlock[] {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const form = /(?:^<!-- (\w+) -->\n)?^```sh\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm
  return [...text.matchAll(form)].map(([, mark = null, script = '', output = null]) => ({ mark, script, output }))
}
