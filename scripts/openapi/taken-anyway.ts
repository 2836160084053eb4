/** Undocumented requests that the sandbox accepts, with the reason for each. The tests send them on purpose. */
export const TAKEN_ANYWAY: readonly { readonly operation: RegExp; readonly complaint: RegExp; readonly why: string }[] =
  [
    {
      operation: /^bookings\.(create|update)$/,
      complaint: /^request body: \/customer must have required property/,
      why: 'the specification does not say which details of a guest a walk-in needs',
    },
    {
      operation: /^bookings\.list$/,
      complaint: /^parameter \w+Date: \/ must match pattern/,
      why: 'date filters never produce an error',
    },
    {
      operation: /^bookings\.schedule$/,
      complaint: /^parameter BookingDateTimeStart: \/ must match pattern/,
      why: 'the sandbox also reads other forms of a date',
    },
    {
      operation: /^webhooks\.update$/,
      complaint: /^request body: \/ must have required property 'webhookUrl'/,
      why: 'an update can replace only the credentials',
    },
    {
      operation: /^inbound\./,
      complaint: /^request body: \/cardNumber must match pattern/,
      why: 'the response says that the card does not exist',
    },
    { operation: /./, complaint: /^parameter \w+: the document has no such parameter/, why: 'the service ignores it' },
  ]
