import { Failure } from '../failure/failure.ts'

type Sqlite = typeof import('node:sqlite')

/**
 * Node's own SQLite, loaded at the first call, without the line "SQLite is an experimental feature" that Node 22 prints on
 * stderr; every other warning still comes through. Everything that uses SQLite loads it here.
 * Fails: INTERNAL on a Node that was built without SQLite.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning
  // Node gives the warning while the module loads, which is synchronous, so nobody else sees this stand-in.
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }) as typeof process.emitWarning
  let sqlite: Sqlite | undefined
  try {
    sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
  if (sqlite === undefined) {
    throw new Failure('INTERNAL', 'this Node.js was built without SQLite, which partner needs', {
      hint: 'use Node.js from nodejs.org, version 22.19 or newer',
    })
  }
  return sqlite
}
