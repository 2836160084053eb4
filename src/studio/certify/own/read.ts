import { usageFailure } from '../../../base/failure/failure.ts'
import { Fields } from '../../../base/json/located/fields.ts'
import { type Complain, type LocatedValue, readLocatedYaml } from '../../../base/json/located/located-yaml.ts'
import type { Bench } from '../bench/bench.ts'
import type { Item } from '../certify.ts'
import { type Expectation, readExpectation } from './expectation.ts'
import { type Act, type ItemRun, readWhen } from './when.ts'

const MAX_PROBLEMS = 20

/**
 * Reads a file with custom items. `taken` contains the IDs that are already in use. If the file is invalid, throws
 * USAGE, listing the problems by line.
 */
export async function readCustomItems(text: string, name: string, taken: readonly string[]): Promise<readonly Item[]> {
  const problems: { readonly line: number; readonly words: string }[] = []
  const complain: Complain = ({ line }, words) => void problems.push({ line, words })
  const root = await readLocatedYaml(text, complain)
  const items = root === null ? [] : readItems(root, taken, complain)
  if (problems.length === 0) return items
  const lines = [...problems]
    .sort((a, b) => a.line - b.line)
    .slice(0, MAX_PROBLEMS)
    .map(({ line, words }) => `${name}:${line}: ${words}`)
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`)
  throw usageFailure(lines, 'nothing was started; for the file format, see partner help certify')
}

function readItems(root: LocatedValue, taken: readonly string[], complain: Complain): Item[] {
  const file = Fields.of(root, 'expected a map with the keys version (1) and items', complain)
  if (!file) return []
  file.only(['version', 'items'])
  if (file.number('version') !== 1) file.complain('version must be 1', 'version')
  const ids = new Set(taken)
  return file.list('items', 'items: - id: …').flatMap((placed) => {
    const fields = Fields.of(placed, 'expected an item with the keys id, name, mend, when and expect', complain)
    if (!fields) return []
    fields.only(['id', 'name', 'mend', 'when', 'expect'])
    const id = fields.text('id', 'reads-balance-first')
    if (id !== '' && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
      fields.complain('id must be lower-case words joined by hyphens', 'id')
    if (ids.has(id))
      fields.complain(`an item with the id ${JSON.stringify(id)} already exists: choose another id`, 'id')
    ids.add(id)
    const name = fields.text('name', 'Reads the balance first')
    const mend = fields.text('mend', 'Read the card before you redeem it.')
    const acts = fields.list('when', 'actions, such as - do: poll').flatMap((one) => readWhen(one, complain) ?? [])
    const expectations = fields
      .list('expect', 'expected results, such as - exit: 0')
      .flatMap((one) => readExpectation(one, complain) ?? [])
    return [{ id, name, mend, check: (bench) => tryItem(bench, acts, expectations) }]
  })
}

async function tryItem(bench: Bench, acts: readonly Act[], expectations: readonly Expectation[]): Promise<void> {
  const play: ItemRun = { bench, codes: [], receiver: null }
  for (const act of acts) {
    await act(play)
    if (play.receiver === null) continue
    await play.receiver.deliver()
    await bench.waitUntilQuiet()
  }
  await play.receiver?.stop()
  for (const problemIn of expectations) {
    const problem = problemIn(play)
    if (problem !== null) bench.finding(problem)
  }
}
