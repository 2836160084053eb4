import { stripFormulaGuard } from '../../base/csv.ts'
import type { CsvLines } from '../copy.ts'
import { isContentVersion, joinId, toSyncRecord, versionOf } from '../reading/sync-record.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { readCsvRows } from './csv-rows.ts'
import { readLines } from './read-lines.ts'

export type Row = { readonly id: string | null; readonly key: string }

export interface RowFormat {
  readonly header: string
  readonly line: (record: SyncRecord) => string
  /**
   * Returns the key of a record's version in this file. It must equal the key that `rows` yields for the version.
   * `line` is the record's line.
   */
  readonly key: (record: SyncRecord, line: string) => string
  readonly rows: (descriptor: number, length: number) => Iterable<Row>
}

/** Returns the NDJSON format, which has one record per line, as the service sent it. */
export function ndjsonFormat(resource: Resource): RowFormat {
  return {
    header: '',
    line: ({ text }) => `${text}\n`,
    key: ({ version }) => version,
    *rows(descriptor, length) {
      for (const line of readLines(descriptor, length)) {
        const { id, version } = toSyncRecord(line, resource)
        yield { id, key: version }
      }
    },
  }
}

/** Returns a CSV format with the given columns. If a record has no ID or change date, its line serves as the key. */
export function csvFormat(resource: Resource, { header, line }: CsvLines): RowFormat {
  const columns = header.trimEnd().split(',')
  const idColumns = resource.idPaths.map((path) => columns.indexOf(path))
  const versionColumn = resource.versionMember === null ? -1 : columns.indexOf(resource.versionMember)
  return {
    header,
    line: ({ text }) => line(text),
    key: ({ version }, row) => (isContentVersion(version) ? row : version),
    *rows(descriptor, length) {
      let isHeader = true
      for (const { fields, text } of readCsvRows(descriptor, length)) {
        if (!isHeader) {
          const id = joinId(idColumns.map((column) => stripFormulaGuard(fields[column] ?? '')))
          const version = versionOf(id, stripFormulaGuard(fields[versionColumn] ?? '') || null)
          yield { id, key: version ?? text }
        }
        isHeader = false
      }
    },
  }
}
