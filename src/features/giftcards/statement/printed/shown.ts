import type { Show } from '../../../../terminal/output/show.ts'

/** Whether a statement is shown as one value; else as rows. */
export function isOne({ isPlain, isQueried, format }: Show): boolean {
  return isPlain || isQueried || format === 'json' || format === 'ndjson'
}
