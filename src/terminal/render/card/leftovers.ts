import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { isBlank } from '../text/plain-text.ts'

/** A member of a record, by its dotted path. */
export interface Member {
  readonly path: string
  readonly value: JsonValue
}

/**
 * The members of a record that are not blank and that no shown path covers, in their own order. In a shown path `*` stands for
 * every item of a list: `tables.*.tableName`. With a path below it shown as well, a path stands for a value that is no object;
 * `customer.**` for all that is in it.
 */
export function leftovers(record: JsonObject, shownPaths: readonly string[]): Member[] {
  const shown = new Set(shownPaths)
  const parents = new Set(shownPaths.flatMap(prefixes))
  return uncovered(Object.entries(record), '', '', { shown, parents })
}

interface Coverage {
  readonly shown: ReadonlySet<string>
  /** Paths below which something is shown. */
  readonly parents: ReadonlySet<string>
}

/** @param pattern how the shown paths would write `prefix`. */
function uncovered(
  members: readonly (readonly [string, JsonValue | undefined])[],
  prefix: string,
  pattern: string,
  coverage: Coverage,
): Member[] {
  return members.flatMap(([name, value]) => {
    const path = prefix + name
    const written = pattern + name
    if (value === undefined || isBlank(value) || coverage.shown.has(`${written}.**`)) return []
    if (coverage.parents.has(written) && isJsonObject(value))
      return uncovered(Object.entries(value), `${path}.`, `${written}.`, coverage)
    if (coverage.shown.has(written)) return []
    if (coverage.parents.has(`${written}.*`) && Array.isArray(value))
      return (value as readonly JsonValue[]).flatMap((item, index) =>
        isJsonObject(item)
          ? uncovered(Object.entries(item), `${path}.${index}.`, `${written}.*.`, coverage)
          : [{ path: `${path}.${index}`, value: item }],
      )
    return [{ path, value }]
  })
}

/** `customer.address.city` gives `customer` and `customer.address`. */
function prefixes(path: string): string[] {
  const names = path.split('.')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'))
}
