import { test } from 'vitest'
import { ERAS } from './running/client.ts'
import { readHostileTexts } from './running/injection.ts'

test.each(ERAS)(
  'every hostile text from guests reaches the agent marked and inert, and triggers no write (%s protocol)',
  (era) => readHostileTexts(era, 1),
)
