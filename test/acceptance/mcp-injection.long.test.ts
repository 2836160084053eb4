import { test } from 'vitest'
import { ERAS } from '../mcp/running/client.ts'
import { readHostileTexts } from '../mcp/running/injection.ts'

test.each(ERAS)('each of 200 texts from guests arrives marked and inert, in each place, %s', (era) =>
  readHostileTexts(era, 1),
)
