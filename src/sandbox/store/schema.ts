/** The version of the database schema. A store with any other version cannot be opened. */
export const SCHEMA_VERSION = 1

/**
 * The tables of a store. Records are JSON documents. Members that are searched are also columns, with times in UTC
 * milliseconds and amounts in cents. `bookings.document` does not contain the customer. Queries join the customer, so
 * that all of a customer's bookings show the latest data. `bookings.details` contains members that partners sent and
 * that are never returned. While a booking is `untouched`, the sandbox can still change its status.
 */
export const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE bookings (
  rank INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE, location TEXT NOT NULL, starts INTEGER NOT NULL, ends INTEGER NOT NULL,
  modified INTEGER NOT NULL, status TEXT NOT NULL, tables TEXT NOT NULL, service_name TEXT, customer TEXT,
  external_id TEXT, untouched INTEGER NOT NULL DEFAULT 0, document TEXT NOT NULL, details TEXT
);
CREATE INDEX bookings_by_start ON bookings (location, starts);
CREATE INDEX bookings_by_change ON bookings (location, modified);
CREATE INDEX bookings_seated ON bookings (location, starts) WHERE status = 'SEATED';
CREATE INDEX bookings_over_a_day ON bookings (location, ends) WHERE ends - starts > 86400000;
CREATE INDEX bookings_by_external_id ON bookings (external_id) WHERE external_id IS NOT NULL;
CREATE TABLE customers (
  rank INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE, full_name TEXT NOT NULL, modified INTEGER NOT NULL, document TEXT NOT NULL
);
CREATE INDEX customers_by_change ON customers (modified);
CREATE INDEX customers_by_name ON customers (full_name);
CREATE TABLE gift_cards (
  number TEXT PRIMARY KEY, location TEXT NOT NULL, status TEXT NOT NULL, amount_cents INTEGER NOT NULL,
  remaining_cents INTEGER NOT NULL, issued INTEGER NOT NULL, expires INTEGER NOT NULL, sku TEXT, document TEXT NOT NULL,
  CHECK (remaining_cents BETWEEN 0 AND amount_cents)
) WITHOUT ROWID;
CREATE INDEX gift_cards_by_issue ON gift_cards (issued);
CREATE INDEX gift_cards_by_expiry ON gift_cards (status, expires);
CREATE TABLE redemptions (
  rank INTEGER PRIMARY KEY, card TEXT NOT NULL, cents INTEGER NOT NULL, at INTEGER NOT NULL, notes TEXT
);
CREATE TABLE sales (
  rank INTEGER PRIMARY KEY,
  sale_id TEXT NOT NULL UNIQUE, received INTEGER NOT NULL, closed INTEGER NOT NULL, booking TEXT,
  cents INTEGER NOT NULL, document TEXT NOT NULL
);
CREATE INDEX sales_by_booking ON sales (booking);
CREATE INDEX sales_by_close ON sales (closed);
CREATE TABLE subscriptions (
  event TEXT NOT NULL, location TEXT NOT NULL, url TEXT NOT NULL, security_key TEXT, security_token TEXT,
  PRIMARY KEY (location, event)
) WITHOUT ROWID;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY, event TEXT NOT NULL, subject TEXT NOT NULL, location TEXT NOT NULL, created INTEGER NOT NULL,
  due INTEGER, claimed_until INTEGER NOT NULL DEFAULT 0, attempts TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX deliveries_due ON deliveries (due) WHERE due IS NOT NULL;
CREATE TABLE faults (id INTEGER PRIMARY KEY, specification TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0, fired INTEGER NOT NULL DEFAULT 0);
`
