import { test } from 'vitest'
import { playHistories } from './play.ts'

const HISTORIES = Number(process.env['PARTNER_MODEL_HISTORIES'] ?? 60)

test('the sandbox behaves like the model in random sequences of requests', () => playHistories(HISTORIES))
