import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// Runs the official conformance suite against our server, for both revisions of the protocol:
// `npm run mcp:conformance`. The suite supports only HTTP, so test/mcp/conformance/mount.ts exposes our server over
// HTTP. The scenarios that do not apply, and the reasons, are in docs/design/mcp.md. npx downloads the suite.

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const REVISIONS = ['2025-11-25', '2026-07-28'] as const
const root = join(import.meta.dirname, '..', '..')

/** Returns the scenarios and individual checks that docs/design/mcp.md excludes for a revision. */
function exceptions(revision: string): readonly string[] {
  const page = readFileSync(join(root, 'docs', 'design', 'mcp.md'), 'utf8')
  return [...page.matchAll(/^\| `([\w:-]+)` \| ([\w, -]+) \|/gm)].flatMap(([, scenario = '', revisions = '']) =>
    revisions.includes(revision) ? [scenario] : [],
  )
}

const directory = mkdtempSync(join(tmpdir(), 'partner-conformance-'))
const mount = spawn(process.execPath, [join(root, 'test', 'mcp', 'conformance', 'mount.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [url] = (await once(createInterface({ input: mount.stdout }), 'line')) as [string]
  for (const revision of REVISIONS) {
    const baseline = join(directory, `${revision}.yaml`)
    writeFileSync(
      baseline,
      `server:\n${exceptions(revision)
        .map((scenario) => `  - ${scenario}\n`)
        .join('')}`,
    )
    const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline]
    const { status, stdout, stderr } = spawnSync('npx', ['-y', SUITE, ...args], { cwd: directory, encoding: 'utf8' })
    process.stdout.write(`${revision}\n${stdout.slice(stdout.indexOf('=== SUMMARY'))}${status === 0 ? '' : stderr}\n`)
    if (status !== 0) process.exitCode = 1
  }
} finally {
  mount.kill()
  rmSync(directory, { recursive: true, force: true })
}
