/** True when the member at a path is an ID, going by its name: `bookingId`, `_id`, `externalIds.0`, `cardNumber`, `bookingRef`. */
export function isIdPath(path: string): boolean {
  return /(?:^|\.)_?id$|I[dD]s?$|[Nn]umber$|Ref$/.test(path.replace(/(?:\.\d+)+$/, ''))
}
