/** A result row from SQLite or PostgreSQL. Every value is a string or `null`. Numbers are decimal strings. */
export type TextRow = Readonly<Record<string, string | null>>
