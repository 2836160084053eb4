import { describe, expect, test } from 'vitest'
import { fitColumns } from '../../../../src/terminal/render/table/fit.ts'

const whole = (natural: number, rank: number) => ({ natural, least: natural, rank })
const flexible = (natural: number, least: number, rank: number) => ({ natural, least, rank })

describe('fitColumns', () => {
  test('columns that fit on the screen keep their widths', () =>
    expect(fitColumns([whole(10, 1), flexible(20, 5, 2)], 32, 2)).toEqual([10, 20]))

  test('flexible columns shrink before any column is hidden', () =>
    expect(fitColumns([whole(10, 1), flexible(20, 5, 2)], 20, 2)).toEqual([10, 8]))

  test('if shrinking is not enough, the least important column is hidden and the other columns widen again', () =>
    expect(fitColumns([flexible(20, 10, 2), whole(24, 1), whole(30, 3)], 60, 2)).toEqual([20, 24, null]))

  test('fitColumns returns null if not even the most important column fits', () =>
    expect(fitColumns([whole(50, 1), whole(90, 2)], 40, 2)).toBeNull())

  test('the columns together are never wider than the screen', () => {
    for (let available = 1; available < 120; available++) {
      const widths = fitColumns(
        [whole(16, 2), flexible(33, 12, 5), whole(6, 3), flexible(25, 11, 4), flexible(80, 12, 6), whole(24, 1)],
        available,
        2,
      )?.filter((width) => width !== null)
      if (!widths) {
        expect(available).toBeLessThan(24)
        continue
      }
      const total = widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1)
      expect(total).toBeLessThanOrEqual(available)
      expect(widths.length).toBeGreaterThan(0)
    }
  })

  test('a column with `firm` set shrinks only after all less important columns are hidden', () => {
    const status = { ...flexible(20, 6, 2), firm: 2 }
    expect(fitColumns([whole(10, 1), status, flexible(20, 8, 3)], 42, 2)).toEqual([10, 20, 8])
    expect(fitColumns([whole(10, 1), status, flexible(20, 8, 3)], 41, 2)).toEqual([10, 20, null])
    expect(fitColumns([whole(10, 1), status, flexible(20, 8, 3)], 20, 2)).toEqual([10, 8, null])
  })

  test('a column that the user requested is never hidden', () => {
    const requested = { ...flexible(20, 8, 9), isRequested: true }
    expect(fitColumns([whole(10, 1), whole(10, 2), requested], 20, 2)).toEqual([10, null, 8])
    expect(fitColumns([{ ...whole(10, 1), isRequested: true }, requested], 19, 2)).toBeNull()
  })
})
