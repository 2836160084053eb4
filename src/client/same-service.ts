/** The names of this machine, as a URL writes them. They all lead to the same service. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns every way to write the address of a service, or its name. There is more than one only for an address of this machine: an
 * open write to `localhost` is also one to `127.0.0.1`.
 */
export function spellingsOf(service: string): string[] {
  if (!URL.canParse(service) || !THIS_MACHINE.includes(new URL(service).hostname)) return [service]
  return THIS_MACHINE.map((name) => {
    const url = new URL(service)
    url.hostname = name
    return url.href.replace(/\/+$/, '')
  })
}

/** Whether two addresses, or names, are of the same service. One that is not known (`null`) is never the same. */
export function isSameService(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && (one === other || spellingsOf(one).includes(other))
}
