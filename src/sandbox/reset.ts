import { existsSync } from 'node:fs'
import { removeJournal } from './journal/journal.ts'
import { DEFAULT_SEED, seedVenue } from './seed/fill.ts'
import { databasePath, isInUse, removeStore } from './store/data-directory.ts'
import { Store } from './store/store.ts'

/**
 * Removes the sandbox from a data directory and returns whether there was one. Running sandboxes that use the directory
 * switch to a new venue immediately. If there are none, the next start creates a new venue. Throws INTERNAL if a
 * running sandbox's data is damaged or cannot be opened.
 */
export function resetSandbox(data: string): boolean {
  if (!existsSync(databasePath(data))) return false
  removeJournal(data)
  if (isInUse(data)) makeAnew(data)
  else removeStore(data)
  return true
}

/**
 * Recreates the tables and the venue in a single transaction, so that no other process ever finds the tables missing.
 */
function makeAnew(data: string): void {
  const store = Store.open(data)
  try {
    store.transaction(() => {
      store.dropTables()
      store.createTables()
      seedVenue(store, DEFAULT_SEED, Date.now(), 'full')
    })
  } finally {
    store.close()
  }
}
