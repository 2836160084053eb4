import { test } from 'vitest'
import { ERAS } from './running/client.ts'
import { readHostileTexts } from './running/injection.ts'

test.each(ERAS)('each of 200 texts from guests arrives marked and inert, in each place, %s', (era) =>
  readHostileTexts(era, 1),
)
