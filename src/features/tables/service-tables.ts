import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { ServiceTable } from './match.ts'

/** Gathers the tables of several answers of `GET /Bookings/tables`, each once. */
export class TablesSeen {
  readonly #tables = new Map<string, ServiceTable>()

  /** Takes the sections of one answer; whatever in it is no table with a name is left out. */
  see(sections: readonly JsonValue[]): void {
    for (const section of sections) {
      if (!isJsonObject(section) || !Array.isArray(section['tables'])) continue
      for (const table of section['tables'] as readonly JsonValue[]) {
        if (!isJsonObject(table)) continue
        const name = textOf(table['name'])
        if (name === null || name === '') continue
        const tableId = textOf(table['_id'])
        const inSection = textOf(section['sectionName']) ?? textOf(table['sectionName'])
        const key = JSON.stringify(tableId === null ? [name, inSection] : [tableId])
        if (!this.#tables.has(key)) this.#tables.set(key, { name, tableId, section: inSection })
      }
    }
  }

  get tables(): readonly ServiceTable[] {
    return [...this.#tables.values()]
  }
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
