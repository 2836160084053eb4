import { test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const venue = await venueOfThisFile()

test.each(['cards.ndjson', 'cards.csv', '-'])(
  'giftcards sync refuses --to %s because it requires a database',
  async (to) => {
    const done = await venue.run('giftcards', 'sync', '--to', to)
    expectRefusal(done, { code: 2, says: /gift cards require a database.*\n.*--to giftcards\.db/s })
  },
)
