import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { changes, creates, prepares, reads, readsHere, type ToolRow } from './row.ts'
import type { ToolFile } from './tool.ts'

const copies: ToolFile = { flag: 'copy', from: 'copy', repeats: true }
const journals: ToolFile = { flag: 'journal', from: 'journal', repeats: true }
const timeline: Partial<ToolRow> = { files: [copies, journals], hide: ['source'] }
const theCopy: ToolFile = { ...copies, repeats: false }
const theJournal: ToolFile = { ...journals, repeats: false }

const PROFILES = 'The profile is fixed when partner mcp starts, and no tool can see or change profiles.'
const SANDBOX = 'It controls the sandbox, which stands in for the service while an integration is tested.'
const SYNC = 'It writes or inspects a file or database on this machine.'
const RECEIVER = 'It sends requests to an address that the caller chooses, and no tool may do that.'
const SUBSCRIPTION = 'It sets the address that the service sends data to.'
const SETTINGS = 'It is about this installation of partner, not about the venue.'

/** For each command, how it becomes a tool, or the reason why it is not a tool. */
export const TABLE: Readonly<Record<string, ToolRow | string>> = {
  api: 'It can send any request, even one that moves money.',
  'api spec': 'It describes the HTTP interface, which no tool can call directly.',
  'bookings create': creates('Returns the new booking with its ID.', { required: ['people'] }),
  'bookings get': reads('Returns the booking with its time, status, party size, tables, notes and guest.'),
  'bookings list': reads('Returns bookings with their ID, time, status, party size, tables and notes.', {
    help: "Use `date`, or `from` and `to`, or `updated_from` and `updated_to`. Do not combine booking times with change times, because the service then returns an empty list and no error. `guest`, `status` and `table` filter the service's response.",
  }),
  'bookings schedule': reads("Returns the day's services, each with its sections and free times.", {
    help: 'Give `date` or `from`. Use the IDs of the listed services and sections to create a reservation.',
  }),
  'bookings statuses': reads('Returns the code and the name of each status.'),
  'bookings sync': SYNC,
  'bookings sync compact': SYNC,
  'bookings sync status': SYNC,
  'bookings sync unit': "It prints files for the operating system's scheduler.",
  'bookings sync verify': SYNC,
  'bookings tables': reads('Returns a record for each section, with its free tables.'),
  'bookings update': changes('Returns the changed booking.', {
    help: 'The service expects a time with every change. Without `time` or `time_utc`, the current booking time is read and sent again.',
  }),
  'bookings update-pax': changes('Returns the changed booking.'),
  'bookings update-status': changes('Returns the changed booking.', {
    help: 'The code must be one that bookings_statuses lists.',
  }),
  'bookings update-tables': changes('Returns the changed booking.', { required: ['table'] }),
  certify: 'It runs the program under test, and no tool runs programs.',
  'certify verify': 'It reads a file that the caller names, and no tool accepts a file path.',
  commands: 'An MCP client lists the tools itself.',
  completion: SETTINGS,
  config: SETTINGS,
  'customers get': reads('Returns the customer, including contact details, notes and tags.'),
  'customers list': reads('Returns customers with their ID, name and contact details.', {
    help: "`search` filters the service's response, so a search reads all customers.",
  }),
  'customers sync': SYNC,
  'customers sync status': SYNC,
  'customers unsubscribe': changes('Returns the customer ID and whether the customer was unsubscribed.', {
    title: 'Unsubscribe a customer from marketing emails',
    help: 'Calling it again is safe.',
    abouts: { id: 'Customer ID, as customers_list returns it.' },
  }),
  doctor: reads('Returns a row for each check, with a message and what to do next.', {
    help: 'If rows fail, start with the first one: the checks that depend on it are skipped. The doctor only reads and calls each endpoint once.',
    files: [{ ...copies, flag: 'sync' }],
  }),
  drift: reads('Returns a record for each member of a response, with the expected and the observed form.', {
    help: 'Requests each list once and a few records from each list. Changes nothing. Compares the form of the responses with the specification, and with assumptions that go beyond the specification. Never returns values from records.',
    hide: ['all', 'fail-on'],
  }),
  'drift accept': "It changes how every later command reads the service's responses.",
  'giftcards cancel': prepares(
    'Prepares the permanent cancellation of a gift card, which a person always has to confirm. A fully redeemed card cannot be cancelled.',
    { title: 'Prepare to cancel a gift card' },
  ),
  'giftcards get': reads('Returns the card with its balance, status and expiry date.'),
  'giftcards list': reads('Returns cards with their number, balance and status.', {
    help: 'Cancelled, fully redeemed and expired cards are omitted unless you include them.',
  }),
  'giftcards redeem': prepares(
    'Prepares a redemption: checks the amount, reads the card, and refuses if the outcome of an identical redemption is still unknown.',
    {
      title: 'Prepare to redeem an amount from a gift card',
      abouts: { amount: 'Amount in currency units as a string, such as "25" or "0.50".' },
    },
  ),
  'giftcards statement': readsHere('Returns the opening and closing amounts, and the movements of each card.', {
    title: 'Show how the amount owed on gift cards changed between two days',
    help: 'Compares two dated snapshots in the copy and makes no requests: opening + issued - redeemed - cancelled - expired = closing. Redemptions by others, such as another POS, are listed too.',
    needs: ['copy'],
    files: [theCopy],
    hide: ['source'],
    abouts: {
      from: 'Start the period at the most recent snapshot at or before TIME (default: the second most recent).',
      to: 'End the period at the most recent snapshot at or before TIME (default: the most recent).',
    },
  }),
  'giftcards sync': SYNC,
  'giftcards sync status': SYNC,
  'inbound balance': reads('Returns the balance, the status and the expiry date as the partner endpoint reports them.'),
  'inbound event': 'It sends a body that the caller writes, which cannot be checked.',
  'inbound redeem': prepares('Prepares a redemption through the signed partner endpoint instead of the usual one.', {
    title: 'Prepare to redeem an amount from a gift card through the signed partner endpoint',
    abouts: { amount: 'Amount in currency units as a string, such as "25" or "0.50".' },
  }),
  'inbound send': 'It can send any signed body to any path, even one that moves money.',
  mcp: SETTINGS,
  'mcp config': SETTINGS,
  monitor: 'It runs until it is stopped, and no tool accepts a file path.',
  'monitor status': 'It reads a file that the caller names, and no tool accepts a file path.',
  'monitor test': RECEIVER,
  'operations approve': 'Only a person may approve an order.',
  'operations list': readsHere('Returns operations with their ID, command, card or sale, amount and state.'),
  'operations resolve': {
    ...{ allow: 'money', effect: 'settles', hide: ['wait'] },
    help: 'Makes only read requests: compares the balance or status before the write with the current one. If the two are equal, the write did not take effect. That is certain only if at least a minute has passed since the write was sent.',
    returns:
      'Returns the operation with its state. The error OUTCOME_UNKNOWN means that a person must determine the outcome.',
  },
  'operations show': readsHere(
    'Returns the operation with its command, amount and state, and how the state was determined.',
  ),
  'profiles add': PROFILES,
  'profiles check': PROFILES,
  'profiles list': PROFILES,
  'profiles remove': PROFILES,
  'profiles set': PROFILES,
  'profiles show': PROFILES,
  'profiles use': PROFILES,
  'report night': readsHere("Returns the night's figures in total and for each venue.", {
    title: 'Show the night report for each venue in a copy and for all of them together',
    help: 'Shows covers and no-shows by service, takings, guests who were seated without a sale, sales without a booking, deposits due, money writes whose outcome is unknown, and how up to date the copy is. Makes no requests. Without `date`, shows the last night that has ended.',
    needs: ['copy'],
    files: [theCopy],
    hide: ['source', 'sql', 'html'],
  }),
  'reservations create': creates('Returns the new booking with its ID.', {
    help: 'Needs `time` or `time_utc`, and `first_name`, `last_name` and `phone`, or `customer_id`. For a walk-in, use bookings_create. reservations_explain takes the same members, and says why a reservation would be rejected.',
    required: ['people', 'service', 'section'],
  }),
  'reservations explain': reads(
    'Returns whether the service would accept the reservation, the reasons, and the nearest times.',
    {
      help: 'Takes the same arguments as reservations_create, but requires only the party size and a time. If the service, section or guest is missing, checks everything else. Makes only read requests.',
      required: ['people'],
    },
  ),
  'sales create': prepares(
    'Prepares the submission of a sale. The service finds the booking by `booking_id`, or by `table_number` and the time.',
    {
      title: 'Prepare to submit a sale from the till',
      required: ['sale-id', 'staff-id', 'seats'],
      values: { type: ['SALE', 'REFUND', 'VOID'] },
    },
  ),
  'sales import': 'It moves money for many sales at once, more than a person can confirm.',
  'sales list': reads('Returns sales with their ID, total, time and booking.', {
    help: "Without dates, lists today's sales. Amounts are in currency units.",
  }),
  'sales reconcile': reads(
    'Returns the differences, and the totals of the POS, the service and each kind of difference.',
    {
      help: 'Pass the sales that were closed at the POS as `records`. Finds sales that are missing in the service (missing), that only the service has (extra), that are there more than once (doubled), that have a different total (total), that are linked to no booking (unlinked) or to a different one (booking), refunds without their sale (orphan-refund), and sales closed on a different day (day). Only reads.',
      records: 'file',
      hide: ['map', 'source', 'fix'],
      abouts: {
        date: "The day to compare, in the venue's time zone (default: the days of the records).",
        file: 'The sales that were closed at the POS.',
      },
    },
  ),
  'sales sync': SYNC,
  'sales sync status': SYNC,
  'sandbox clock': SANDBOX,
  'sandbox clock advance': SANDBOX,
  'sandbox clock reset': SANDBOX,
  'sandbox clock set': SANDBOX,
  'sandbox deliveries': SANDBOX,
  'sandbox env': SANDBOX,
  'sandbox exec': 'It runs a program, and no tool runs programs.',
  'sandbox faults add': SANDBOX,
  'sandbox faults clear': SANDBOX,
  'sandbox faults list': SANDBOX,
  'sandbox journal': SANDBOX,
  'sandbox rehearse': SANDBOX,
  'sandbox reset': SANDBOX,
  'sandbox seed': SANDBOX,
  'sandbox snapshot delete': SANDBOX,
  'sandbox snapshot list': SANDBOX,
  'sandbox snapshot load': SANDBOX,
  'sandbox snapshot save': SANDBOX,
  'sandbox start': SANDBOX,
  sign: 'A signature lets its holder act as the partner, so an agent must not create one.',
  'sign verify': readsHere(
    'Returns `valid: true` for a correct signature. The error SIGNATURE_MISMATCH names the likely mistakes.',
    {
      help: "Checks the signature with the venue's signing secret. Makes no requests.",
      exact: 'body',
      abouts: {
        url: 'The URL that was signed, including its query, exactly as the sender used it. No request is sent to it.',
        body: 'The request body, exactly as it was sent (default: empty).',
      },
    },
  ),
  'support bundle': SYNC,
  'tables check': 'It reads and writes files that the caller names, and no tool accepts a file path.',
  'timeline booking': reads(
    'Returns timeline entries, each with its time, what happened, and anything odd about the entry.',
    timeline,
  ),
  'timeline giftcard': reads(
    'Returns timeline entries, each with its time, what happened, and anything odd about the entry.',
    timeline,
  ),
  'timeline sale': reads(
    'Returns timeline entries, each with its time, what happened, and anything odd about the entry.',
    timeline,
  ),
  'webhooks apply': SUBSCRIPTION,
  'webhooks create': SUBSCRIPTION,
  'webhooks delete': SUBSCRIPTION,
  'webhooks gaps': readsHere('Returns a record for each gap.', {
    title: 'Compare webhook deliveries with the changes in a copy',
    help: 'A gap is a change without an event (missing), an event without a change (extra), an event that was delivered more than 15 minutes after its change (late), or an event that was delivered twice (duplicate). Changes and events from the last 15 minutes are not checked yet. Sends nothing.',
    needs: ['copy', 'journal'],
    files: [theCopy, theJournal],
    hide: ['source', 'summary', 'to'],
    values: { event: WEBHOOK_EVENTS },
  }),
  'webhooks get': reads('Returns the subscription. Credentials cannot be read back.', {
    values: { event: WEBHOOK_EVENTS },
  }),
  'webhooks inbox': 'It needs a database address and can delete and retry events.',
  'webhooks list': reads('Returns the subscriptions. Credentials cannot be read back.', { help: '' }),
  'webhooks listen': 'It runs until it is stopped and can run a program for each delivery.',
  'webhooks replay': RECEIVER,
  'webhooks torture': RECEIVER,
  'webhooks trigger': RECEIVER,
  'webhooks update': SUBSCRIPTION,
  'webhooks work': RECEIVER,
}
