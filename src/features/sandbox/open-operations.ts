import { appendFileSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { removeFile } from '../../base/storage/rename-remove.ts'
import { deleteKeys } from '../../money/once/keys.ts'
import { operationsPath } from '../../money/operations/file.ts'
import { getCurrentMoment } from '../../money/operations/moment.ts'
import { OperationStore } from '../../money/operations/store.ts'
import { deleteOrders } from '../../money/orders/orders.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { sandboxDirectory } from './target.ts'

/**
 * A file in a sandbox's data directory that lists all addresses that the sandbox has used. Operations identify a
 * service by its address.
 */
const ADDRESSES = 'addresses'

/** Records the address of the sandbox that serves the venue in the given directory. */
export function recordAddress(directory: string, baseUrl: string): void {
  try {
    if (!readAddresses(directory).includes(baseUrl)) appendFileSync(join(directory, ADDRESSES), `${baseUrl}\n`)
  } catch {
    // Ignore the error. If the address is not recorded, a reset leaves operations open, but users can close them
    // manually.
  }
}

function readAddresses(directory: string): string[] {
  const path = join(directory, ADDRESSES)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

export function forgetAddresses(directory: string): void {
  removeFile(join(directory, ADDRESSES))
}

/**
 * Returns the service names under which operations may be recorded for the venue in a directory: the venue's addresses,
 * and `sandbox` for the built-in sandbox.
 */
export function listServiceNames(directory: string, env: Host['env']): string[] {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : path)
  const isOwn = real(directory) === real(sandboxDirectory(env))
  return [...(isOwn ? ['sandbox'] : []), ...readAddresses(directory)]
}

/**
 * Closes the open operations of venues that no longer exist, because no request can resolve them. Throws INTERNAL if
 * the operations file is damaged.
 */
export function endOperations(dataDirectory: string, services: readonly string[], how: string): void {
  const path = operationsPath(dataDirectory)
  if (services.length === 0 || !existsSync(path)) return
  const store = OperationStore.open(path)
  try {
    for (const service of services) {
      store.endAll(service, how, getCurrentMoment())
      deleteKeys(store.table, service)
      deleteOrders(store.table, service)
    }
  } finally {
    store.close()
  }
}
