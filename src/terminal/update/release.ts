/** Matches a release name: three numbers with an optional `v` prefix. Prereleases (`1.0.0-rc.1`) do not match. */
const RELEASE = /^v?((?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5}))$/

/** Returns the version (`1.2.3`) from a release name, or `null` if the text is not a release name. */
export function parseRelease(text: unknown): string | null {
  return typeof text === 'string' ? (RELEASE.exec(text)?.[1] ?? null) : null
}

/** Returns whether a release is newer than this program's version, which may be a prerelease (`1.2.3-rc.1`). */
export function isNewer(release: string, own: string): boolean {
  const [core = '', early] = own.split('+', 1)[0]?.split(/-(.*)/s) ?? []
  const [theirs, ours] = [release, core].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const at = theirs.findIndex((number, index) => number !== ours[index])
  return at < 0 ? early !== undefined : (theirs[at] ?? 0) > (ours[at] ?? Number.POSITIVE_INFINITY)
}
