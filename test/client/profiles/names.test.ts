import { describe, expect, test } from 'vitest'
import { chooseProfiles } from '../../../src/client/profiles/names.ts'
import { parseProfiles } from '../../../src/client/profiles/read.ts'

const baseUrl = 'https://venue.example'
const profiles = parseProfiles(
  JSON.stringify({
    profiles: {
      harbour: { baseUrl, tags: ['north', 'bar'] },
      city: { baseUrl, tags: ['north'] },
      all: { baseUrl },
      sandbox: { baseUrl },
      beach: { baseUrl, tags: ['south'] },
    },
  }),
  'profiles.json',
)

describe('the --profiles flag', () => {
  test.each([
    ['all', ['all', 'beach', 'city', 'harbour']],
    ['tag:north', ['city', 'harbour']],
    ['tag:south,tag:north', ['beach', 'city', 'harbour']],
    ['harbour, city', ['harbour', 'city']],
    ['harbour,tag:north,harbour', ['harbour', 'city']],
    ['harbour,sandbox', ['harbour', 'sandbox']],
    ['beach,all', ['beach', 'all', 'city', 'harbour']],
  ])('--profiles "%s" selects the profiles %j', (choice, names) =>
    expect(chooseProfiles(choice, profiles)).toEqual(names),
  )

  test.each([
    ['', 'USAGE', 'must not contain an empty name'],
    ['city,', 'USAGE', 'must not contain an empty name'],
    ['tag:', 'USAGE', 'no profile has the tag ""'],
    ['tag:nort', 'USAGE', 'no profile has the tag "nort"'],
    ['citi', 'NO_PROFILE', 'there is no profile "citi" (from --profiles)'],
    ['north', 'NO_PROFILE', 'there is no profile "north"'],
  ])('--profiles rejects %j', (choice, code, message) => {
    expect(() => chooseProfiles(choice, profiles)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })
})
