import { expect, test, vi } from 'vitest'
import { controlOf, freshDirectory, freshSandbox } from '../fresh-sandbox.ts'

// A slow machine needs several minutes for these tests.
vi.setConfig({ testTimeout: 600_000 })

const LARGE = { bookings: 20_000, customers: 500, giftcards: 500, from: Date.UTC(2020, 0, 1), to: Date.UTC(2021, 0, 1) }

test('bulk seeding adds 20,000 bookings, and repeating it changes nothing', async () => {
  const data = freshDirectory()
  const control = controlOf(data)
  expect(await control.seed(LARGE)).toEqual({ bookings: 20_000, customers: 500, giftcards: 500 })
  await control.seed(LARGE)
  const { send } = await freshSandbox({ data })
  const range =
    '/Bookings?StartDate=2019-12-30T00:00:00.000Z&EndDate=2021-01-03T00:00:00.000Z&IncludeCustomerDetails=true'
  const { body } = await send('GET', range)
  expect([body.count, body.bookings.length]).toEqual([20_000, 20_000])
  expect(new Set(body.bookings.map((one: { bookingId: string }) => one.bookingId)).size).toBe(20_000)
})

test('bulk seeding rejects invalid numbers and reports all problems at once', async () => {
  const wrong = { bookings: -1, giftcards: 1.5, from: Date.UTC(2021, 0, 1), to: Date.UTC(2020, 0, 1) }
  await expect(controlOf(':memory:').seed(wrong)).rejects.toMatchObject({
    code: 'USAGE',
    details: {
      problems: [
        'bookings must be a whole number from 0 to 5000000',
        'giftcards must be a whole number from 0 to 5000000',
        'the last day is before the first day',
      ],
    },
  })
})
