// A receiver that runs in its own process, so that tests can kill it. Usage: `node target-process.mjs PORT FILE`. It
// writes each body to the file as a line of base64 before it responds.
import { closeSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , port, file] = process.argv
const descriptor = openSync(file, 'a')
process.on('exit', () => closeSync(descriptor))

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    writeSync(descriptor, `${Buffer.concat(chunks).toString('base64')}\n`)
    response.writeHead(204).end()
  })
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
