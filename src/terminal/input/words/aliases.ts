/** Command aliases. Help and completion do not list them. */
export const ALIASES: Readonly<Record<string, string>> = { 'bookings explain': 'reservations explain' }
