#!/usr/bin/env node
'use strict'
// Even old versions of Node must be able to parse this file. The build compiles src/terminal/launch to dist/launch.cjs.

function fail(problem, next) {
  process.exitCode = 1
  process.stderr.write(`error: ${problem}\nnext: ${next}\n`)
}

try {
  // Node resolves an absolute path faster than a relative one.
  require(`${__dirname}/../dist/launch.cjs`)
    .start(process.argv.slice(2))
    .catch((error) => fail(`partner is damaged: ${error.message}`, 'install it again, or npm run build'))
} catch (error) {
  if (error.code === 'MODULE_NOT_FOUND') fail('partner is not built yet', 'npm ci && npm run build')
  else fail(`partner is damaged: ${error.message}`, 'install it again, or npm run build')
}
