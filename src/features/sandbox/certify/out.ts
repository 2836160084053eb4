import { readFileSync } from 'node:fs'
import { isResult } from '../../../studio/certify/result/signed.ts'
import { checkPlace } from '../../shared/place.ts'

/** Checks that a result can be put at a path: over an earlier one, over nothing else without `--yes`. Fails: USAGE. */
export function mayReplaceResult(path: string, isYes: boolean): void {
  checkPlace(path, isYes || holdsResult(path), { flag: '--out', example: 'DIR/result.json' })
}

function holdsResult(path: string): boolean {
  try {
    return isResult(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}
