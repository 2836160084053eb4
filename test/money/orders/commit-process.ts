import { commit } from './in-process.ts'

// Sends one order in a separate process and prints `done` or the code of its failure. Arguments: HANDLE APPROVE_UP_TO
// PER_DAY, with amounts in cents.
const [handle = '', approveUpTo = '0', perDay = '0'] = process.argv.slice(2)
const { failure } = await commit(handle, { approveUpTo: BigInt(approveUpTo), perDay: BigInt(perDay) }, process.env)
process.stdout.write(failure === null ? 'done' : failure.code)
