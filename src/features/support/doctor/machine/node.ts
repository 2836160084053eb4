import type { Section } from '../examination.ts'
import { ok, warn } from '../finding.ts'

const NAME = 'node'
/** As in package.json. */
const LEAST = [22, 19] as const

/** Checks the version of Node. */
export const nodeSection: Section = {
  rows: [NAME],
  needs: [],
  *examine({ around }) {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isEnough = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])
    const running = `Node.js ${process.version}, partner ${around.version}`
    yield isEnough
      ? ok(NAME, running)
      : warn(NAME, `${running}; Node.js ${LEAST.join('.')} or newer is needed`, 'node --version')
  },
}
