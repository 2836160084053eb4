import type { CustomerDocument } from '../../records/customers.ts'

type Guest = Pick<CustomerDocument, 'firstName' | 'lastName' | 'phone'> &
  Partial<Pick<CustomerDocument, 'email' | 'notes' | 'subscribed'>>

/**
 * The guests in the ready-made snapshots. Their names are in many scripts, including right-to-left ones, and some names
 * have only one part.
 */
export const GUESTS: readonly Guest[] = [
  guest('Charlotte', 'Taylor', '+61 491 570 156', {
    email: 'charlotte.taylor@example.com',
    notes: 'Prefers the terrace',
  }),
  guest('محمد', 'الفاسي', '+61 491 570 157', { notes: 'لا يأكل لحم الخنزير' }),
  guest('小芳', '王', '+61 491 570 158', { email: 'xiaofang@example.com' }),
  guest('Siobhán', "O'Néill", '+61 491 570 159', { email: 'siobhan@example.com' }),
  guest('נועה', 'בן־דוד', '+61 491 570 110', {}),
  guest('Zoë', 'Müller-Lüdenscheidt', '+49 30 901820', { email: 'zoe@example.com', subscribed: false }),
  guest('陽菜', '佐藤', '+81 3-1234-5678', { notes: '窓際の席が好き' }),
  guest('Jose\u0301', 'Nu\u0301n\u0303ez', '+61 491 570 313', { email: 'jose@example.com' }),
  guest('अनन्या', 'शर्मा', '+61 491 570 737', { notes: 'Vegetarian' }),
  guest('Дмитрий', 'Достоевский', '+61 491 571 266', { subscribed: false }),
  guest('Björk', null, '+354 555 1234', { email: 'bjork@example.com' }),
  guest(null, 'Sukarno', '+61 491 571 491', {}),
  guest('서연', '김', '+61 491 571 804', { email: 'seoyeon@example.com' }),
  guest('สมชาย', 'ใจดี', '+61 491 572 549', {}),
  guest('Σοφία', 'Παπαδοπούλου', '+30 21 0123 4567', { email: 'sofia@example.com' }),
  guest('👩‍🍳 Chef', 'Amélie 🍋', '+61 491 572 665', { notes: 'Works at the restaurant next door' }),
  guest('Nguyễn Thị Mỹ', 'Hạnh', '+61 491 572 983', { email: 'hanh@example.com' }),
  guest('Ruby', 'Campbell', '+61 491 573 770', { email: 'ruby@example.com', subscribed: false }),
  guest('Lachlan', 'Singh', '+61 491 573 087', { email: 'lachlan@example.com' }),
  guest('Robert"); DROP TABLE bookings;--', 'O\u2019Tables', null, { email: 'bobby@example.com' }),
  guest('Amelia', 'Rossi', '+61 491 574 118', { notes: 'Coeliac' }),
  guest('Oscar', 'Walker', '+61 491 574 632', { email: 'oscar@example.com' }),
  guest('مريم', 'Smith (née حسن)', '+61 491 575 254', {}),
  guest('Isla', 'Thompson', '+61 491 575 789', {
    email: 'isla@example.com',
    notes: 'VIP: the owner’s cousin\nNever table B1',
  }),
  guest('Wolfeschlegelsteinhausenbergerdorff', 'Featherstonehaugh-Cholmondeley the Younger', '+61 491 576 398', {}),
  guest('Priya', 'Patel', '+61 491 576 801', { email: 'priya@example.com' }),
]

function guest(firstName: string | null, lastName: string | null, phone: string | null, more: Partial<Guest>): Guest {
  return { firstName, lastName, phone, ...more }
}
