const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** Returns every spelling of a service's address; `localhost` and `127.0.0.1` are the same service. */
export function spellingsOf(service: string): string[] {
  if (!URL.canParse(service) || !THIS_MACHINE.includes(new URL(service).hostname)) return [service]
  return THIS_MACHINE.map((name) => {
    const url = new URL(service)
    url.hostname = name
    return url.href.replace(/\/+$/, '')
  })
}

/** Whether two addresses or names are of the same service. Null is unknown, and never the same. */
export function isSameService(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && (one === other || spellingsOf(one).includes(other))
}
