/** Undocumented requests that the sandbox accepts, and why. Tests send them on purpose. */
export const TAKEN_ANYWAY: readonly { readonly operation: RegExp; readonly complaint: RegExp; readonly why: string }[] =
  [
    {
      operation: /^bookings\.(create|update)$/,
      complaint: /^request body: \/customer must have required property/,
      why: 'nothing says how much of a guest a walk-in needs',
    },
    {
      operation: /^bookings\.list$/,
      complaint: /^parameter \w+Date: \/ must match pattern/,
      why: 'date filters never produce an error',
    },
    {
      operation: /^bookings\.schedule$/,
      complaint: /^parameter BookingDateTimeStart: \/ must match pattern/,
      why: 'the sandbox reads a date in other forms, too',
    },
    {
      operation: /^webhooks\.update$/,
      complaint: /^request body: \/ must have required property 'webhookUrl'/,
      why: 'it replaces the URL or the credentials',
    },
    {
      operation: /^inbound\./,
      complaint: /^request body: \/cardNumber must match pattern/,
      why: 'the answer says that there is no such card',
    },
    { operation: /./, complaint: /^parameter \w+: the document has no such parameter/, why: 'the service ignores it' },
  ]
