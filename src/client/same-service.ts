const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns all equivalent spellings of a service's address. For example, `localhost` can also be written as `127.0.0.1`.
 */
export function addressSpellings(service: string): string[] {
  if (!URL.canParse(service) || !THIS_MACHINE.includes(new URL(service).hostname)) return [service]
  return THIS_MACHINE.map((name) => {
    const url = new URL(service)
    url.hostname = name
    return url.href.replace(/\/+$/, '')
  })
}

/**
 * Returns whether two addresses or names refer to the same service. `null` means an unknown service, which is never
 * considered the same as any other.
 */
export function isSameService(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && (one === other || addressSpellings(one).includes(other))
}
