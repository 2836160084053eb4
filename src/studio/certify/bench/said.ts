import type { Ended, StepLine } from './child.ts'

/** What a step is to do, in a few words. */
export function lineText(line: StepLine): string {
  switch (line.do) {
    case 'redeem':
      return `redeem ${line.amount} of ${line.cardNumber}`
    case 'inbound':
      return `inbound ${line.path}?${line.query}`
    default:
      return line.do
  }
}

/** How a step ended, in words. */
export function endText({ code, isTooSlow, said }: Ended): string {
  const how = isTooSlow ? 'went on for too long' : code === null ? 'was ended by a signal' : `ended with exit ${code}`
  return code === 0 || said === '' ? how : `${how}: ${said}`
}
