/** A result row from SQLite or PostgreSQL. Every value is a string; numbers are written in decimal. */
export type TextRow = Readonly<Record<string, string | null>>
