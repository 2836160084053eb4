/**
 * The meaning of a member's value. An `id` is a record's ID. A `place` is an ID that the venue assigned, such as a
 * table's. A `word` is the venue's name for a service, section, table or status. A `message` is a message from the
 * service. Any other value is `free` and is dropped.
 */
export type MemberKind = keyof typeof MEMBERS_BY_KIND | 'free'

/** The lower-case names of members that have the same kind everywhere. */
const MEMBERS_BY_KIND = {
  id: 'id bookingid saleid originalsaleid transactionid bookingref customerid externalid requestid traceid correlationid',
  place: 'serviceid sectionid tableid layoutid locationid posid venueid sku _id',
  code: 'method servicetype statustype code status paymenttype currencycode currency event eventtype type cardformat bookingstatus sectionstate sort',
  time: 'bookedat bookingtime lastmodifieddate paymentdate issueddate expirydate time bookingtimeasutc openedzoneddatetime closedzoneddatetime transactiondatetime actualstarttime actualendtime optionsfrom optionsto date startdate enddate updatedfromdate updatedtodate dateupdatedstart dateupdatedend issuedateutcstart issuedateutcend bookingdatetimestart bookingdatetimeend timestamp',
  word: 'servicename tablename tablenames sectionname layoutname storename locationname posname number section',
  number:
    'duration people numofpeople pax noshowcount amount amountdue amountpaid amountspent amountredeemed remainingamount balance price quantity order capacity mincapacity bookingoptionscount peoplerequired fee maxpeopleperbookingoverride total totalextax tax discount tipamount seats count from to length limit startindex subtotal',
  url: 'webhookurl instance',
  message: 'message errormessage title detail error errors error_description',
  name: 'firstname lastname fullname purchaserfirstname purchaserlastname recipientfirstname recipientlastname guestname customername middlename surname givenname familyname nickname displayname',
  email: 'email purchaseremail recipientemail issuedtoemail emailaddress',
  phone: 'phone phonenational phone2 mobile phonenumber',
  card: 'cardnumber giftcardnumber',
  company: 'company',
  address: 'line1 line2 city state postalcode country address street postcode',
  staff: 'staffid staffname',
  secret:
    'securitykey securitytoken security_key security_token apikey api_key signingsecret signing_secret password token secret access_token',
} as const

/** Members whose kind depends on their parent, such as `customer.name`. */
const CHILD_MEMBERS_BY_KIND: Readonly<Partial<Record<MemberKind, string>>> = {
  place: 'services.id service.id sections.id section.id tables.id table.id layouts.id register.id statuses.id',
  word: 'services.name service.name sections.name section.name tables.name table.name layouts.name register.name times.name status.name statuses.name',
  name: 'customer.name customers.name guest.name guests.name purchaser.name recipient.name',
  staff: 'staff.id staff.name',
  free: 'tags.name tags.identifier tags.tagtype items.name items.label extras.name extras.label',
}

const kinds = new Map<string, MemberKind>()
for (const [kind, names] of [...Object.entries(MEMBERS_BY_KIND), ...Object.entries(CHILD_MEMBERS_BY_KIND)])
  for (const name of names.split(' ')) kinds.set(name, kind as MemberKind)
const PARENTS = new Set([...kinds.keys()].map((name) => name.slice(0, Math.max(0, name.indexOf('.')))))

/**
 * Returns the kind of a member, or `free` if it is unknown. `parent` names the member that contains the object, or is
 * ''.
 */
export function kindOf(member: string, parent: string): MemberKind {
  const lower = member.toLowerCase()
  const above = parent.toLowerCase()
  // Each member of `errors` is named after an invalid member and contains messages about it.
  if (above === 'errors') return 'message'
  const kindBelow = PARENTS.has(above) ? kinds.get(`${above}.${lower}`) : undefined
  return kindBelow ?? kinds.get(lower) ?? 'free'
}

/** Other known members. They contain objects, flags or free text. */
const OTHER_NAMES = new Set(
  `address bookings customer customers data origin source table tables tags items extras saleDetail payments services sections
  times paymentDetails paymentSummary staff register name label identifier tagType notes description category results records
  giftCards sales birthdayDate birthdayMonth birthdayYear subscribed expired online shared walkinOnly isVenueOpen blockoutMessage
  policyAgreement policyAgreementText hasPromotion singleMenuPerBooking isSuccess authenticationEnabled links linkName linkURL
  experienceCardName experienceCardDetails allowTableBookingConflict surcharges discounts goodsAndServicesAmount unitPrice
  unitPriceTax IncludeCustomerDetails IncludeCancelledBookings IncludeCancelled IncludeRedeemed IncludeExpired bookingIds`
    .toLowerCase()
    .split(/\s+/),
)

/** Returns whether the contract defines a member name. If so, the name cannot contain personal data. */
export function isKnownMember(name: string): boolean {
  const lower = name.toLowerCase()
  return kinds.has(lower) || OTHER_NAMES.has(lower)
}

const PERSONAL_NUMBERS = /^(?:birth.*|dob|age|latitude|longitude|lat|lng|lon)$/i

export function isPersonalNumber(member: string): boolean {
  return PERSONAL_NUMBERS.test(member)
}
