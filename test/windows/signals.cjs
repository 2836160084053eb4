'use strict'
// Loaded before each program that the bridge starts. Linux signals do not reach a program in Wine. The bridge sends their
// names instead, and this code emits them, as Node for Windows does for Ctrl-C, Ctrl-Break and the closing of a window.
require('./taskkill.cjs')
const emit = process.emit.bind(process)
const exit = process.exit.bind(process)
process.emit = (event, message, ...rest) => {
  const signal = event === 'message' ? message?.signal : undefined
  if (signal === undefined) return emit(event, message, ...rest)
  return emit(signal, signal) || exit(1)
}
const kill = process.kill.bind(process)
process.kill = (pid, signal) => {
  // Windows gives a killed process the exit code 1, which the bridge cannot tell from that of a process that fails.
  if (pid === process.pid && signal === 'SIGKILL') process.send({ killed: true })
  return kill(pid, signal)
}
// The two pipes of a program would lose the order in which it writes to them.
if (process.env.PARTNER_TEST_MERGED) Object.defineProperty(process, 'stderr', { value: process.stdout })
// Node delivers messages only if there is a listener. It must not keep the process alive.
process.on('message', () => {})
process.channel.unref()
