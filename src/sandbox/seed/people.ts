import { type Address, type CustomerDocument, NO_ADDRESS, toNationalForm } from '../records/customers.ts'
import { between, drawBoolean, hex, nulls, pick, type Random } from './random.ts'

type Name = readonly [first: string | null, last: string | null]

/**
 * Names that careless code handles incorrectly: right-to-left names, scripts without case, very long or incomplete
 * names, combining marks, and joined emoji.
 */
const UNUSUAL_NAMES: readonly Name[] = [
  ['محمد', 'الفاسي'],
  ['נועה', 'בן־דוד'],
  ['小芳', '王'],
  ['陽菜', '佐藤'],
  ['서연', '김'],
  ['Σοφία', 'Παπαδοπούλου'],
  ['Дмитрий', 'Достоевский'],
  ['अनन्या', 'शर्मा'],
  ['สมชาย', 'ใจดี'],
  ['Nguyễn Thị Mỹ', 'Hạnh'],
  ['Zoë', 'Müller-Lüdenscheidt'],
  ['Ángel', "O'Shaughnessy"],
  ['Jose\u0301', 'Nu\u0301n\u0303ez'],
  ['Z̷a̸l̴g̶o̵', 'T̸e̶s̷t̴'],
  ['👩‍🍳 Chef', 'Amélie 🍋'],
  ['Björk', null],
  [null, 'Sukarno'],
  ['', 'de la Cruz'],
  ['X', 'Æ'],
  [
    'Wolfeschlegelsteinhausenbergerdorff',
    'Featherstonehaugh-Cholmondeley-Marjoribanks-Beauchamp the Younger of Wooloomooloo',
  ],
  ['مريم', 'Smith (née حسن)'],
  ['=SUM(1)', '+1'],
  ['Robert"); DROP TABLE bookings;--', 'O\u2019Tables'],
]

const FIRST_NAMES =
  `Olivia Jack Charlotte Noah Amelia William Isla Leo Mia Henry Grace Thomas Ruby Oscar Ella Lachlan Priya Arjun Mei
  Hiroshi Fatima Omar Giulia Matteo Chloé Søren`.split(/\s+/)
const LAST_NAMES =
  `Smith Jones Williams Brown Wilson Taylor Nguyen Chen Singh Kaur Patel Martin Anderson Thompson Walker Harris Lee
  Ryan Robinson Kelly King Campbell Rossi Ivanov`.split(/\s+/)
const COMPANIES = [...nulls(5), 'Bondi Surf & Co. Pty Ltd', 'Müller GmbH', '株式会社さくら', 'Reef "Blue" Diving', '']
const NOTES = [
  ...nulls(4),
  'Coeliac',
  'Prefers the terrace',
  'VIP: owner’s cousin\nNever table B1',
  'لا يأكل لحم الخنزير',
]
const STREETS: readonly string[] = ['George St', 'Oxford Street', 'Crown St', 'Harbour Parade', 'Rue de la Paix']

/** Generates a random customer. `at` is when the customer was last changed, in milliseconds since 1970. */
export function drawCustomer(random: Random, id: string, at: number): CustomerDocument {
  const unusual = drawBoolean(random, 0.22)
  const [firstName, lastName]: Name = unusual
    ? pick(random, UNUSUAL_NAMES)
    : [pick(random, FIRST_NAMES), pick(random, LAST_NAMES)]
  const phone = drawBoolean(random, 0.93)
    ? `+61 4${between(random, 10, 99)} ${between(random, 100, 999)} ${between(random, 100, 999)}`
    : null
  const hasBirthday = drawBoolean(random, 0.3)
  return {
    id,
    firstName,
    lastName,
    company: pick(random, COMPANIES),
    email: drawBoolean(random, 0.85) ? `${toEmailName(firstName, lastName)}.${hex(random, 3)}@example.com` : null,
    phone,
    phoneNational: phone === null ? null : toNationalForm(phone),
    phone2: drawBoolean(random, 0.05) ? '+44 20 7946 0958' : null,
    address: drawBoolean(random, 0.3) ? drawAddress(random) : NO_ADDRESS,
    birthdayDate: hasBirthday ? between(random, 1, 28) : null,
    birthdayMonth: hasBirthday ? between(random, 1, 12) : null,
    birthdayYear: hasBirthday && drawBoolean(random, 0.5) ? between(random, 1945, 2005) : null,
    notes: pick(random, NOTES),
    noShowCount: drawBoolean(random, 0.1) ? between(random, 1, 4) : 0,
    tags: drawBoolean(random, 0.15)
      ? [{ id: `ctag-${hex(random, 6)}`, identifier: 'vip', name: 'VIP ⭐' }]
      : drawBoolean(random, 0.5)
        ? []
        : null,
    subscribed: drawBoolean(random, 0.6),
    lastModifiedDate: new Date(at).toISOString(),
  }
}

/** Whether a customer's first and last names are both in the lists of ordinary names. */
export function hasOrdinaryName({ firstName, lastName }: Pick<CustomerDocument, 'firstName' | 'lastName'>): boolean {
  return FIRST_NAMES.includes(firstName ?? '') && LAST_NAMES.includes(lastName ?? '')
}

function toEmailName(first: string | null, last: string | null): string {
  const plain = `${first ?? ''}.${last ?? ''}`
    .toLowerCase()
    .replace(/[^a-z.]/g, '')
    .replace(/^\.+|\.+$/g, '')
  return plain.slice(0, 40) || 'guest'
}

function drawAddress(random: Random): Address {
  return {
    line1: `${between(random, 1, 400)} ${pick(random, STREETS)}`,
    line2: drawBoolean(random, 0.3) ? `Unit ${between(random, 1, 40)}` : null,
    city: 'Sydney',
    state: 'NSW',
    postalCode: String(between(random, 2000, 2234)),
    country: 'Australia',
  }
}
