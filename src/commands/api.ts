import { requiredArgument } from '../terminal/input/arguments.ts'
import { BODY_CALL_FLAGS, toggle } from '../terminal/input/flags.ts'
import { PAGING_FLAGS, parsePaging } from '../terminal/input/paging.ts'
import { Problems } from '../terminal/input/problems.ts'
import { readRawBody } from '../terminal/input/raw/body.ts'
import { HEADER_FLAG, parseHeaders } from '../terminal/input/raw/headers.ts'
import { checkPaginated, parseMethod, parseTarget } from '../terminal/input/raw/target.ts'
import { PartnerCommand } from '../terminal/runtime/command.ts'

export default class Api extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Send any request to the service and print the response.'
  static override description =
    `For endpoints that do not have their own command. The API key, time limit, retries and exit codes work as in all other commands; only reads are retried. PATH is relative to the base URL and may include a query.

With --paginate, the records of all pages are printed as one JSON array, or in the format that -o names.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> GET /Resources/booking-statuses',
    '<%= config.bin %> <%= command.id %> GET /Customers --param Sort=desc --paginate -o csv',
    '<%= config.bin %> <%= command.id %> PATCH /Bookings/BK-1001/updatepax --set pax=4',
    `<%= config.bin %> <%= command.id %> POST /partners/sandbox-pos/giftcards/balance --data '{"cardNumber":"GIFT2-00005025-AAAA","locationId":"5f1d7a3e9b2c4d0012ab34cd"}' --sign --include`,
  ]
  static override args = {
    method: requiredArgument('GET, POST, PATCH, PUT, DELETE or another method'),
    path: requiredArgument('path relative to the base URL, such as /Bookings/BK-1001'),
  }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = {
    ...HEADER_FLAG,
    include: toggle('Print the status and headers of the response first.'),
    paginate: toggle('Fetch all pages and print their records.'),
    ...PAGING_FLAGS,
    sign: toggle('Sign the request instead of sending the API key.'),
  }

  async run(): Promise<void> {
    const { args, flags, connection, service, show } = await this.open(Api)
    const problems = new Problems()
    const method = parseMethod(args.method, problems)
    const target = parseTarget(args.path, problems)
    const headers = parseHeaders(flags.header ?? [], problems)
    const paging = parsePaging(flags, problems)
    checkPaginated(method, target.search, flags, problems)
    const isJson = /json/.test(headers['content-type'] ?? 'json') && !flags['no-validate']
    const bytes = await readRawBody(method, flags, isJson, problems)
    problems.throwIfAny()
    if (flags.sign) await connection.signedSession(['baseUrl', 'signingSecret', 'signatureHeader'])
    const { resolveEndpoint } = await import('../client/calls/raw.ts')
    const endpoint = resolveEndpoint(method, target.path, flags.sign === true)
    const input = { search: target.search, headers, bytes }
    if (!flags.paginate) return service.sendRaw(endpoint, input, flags.include)
    const list = endpoint.list ?? { member: 'items', paging: 'offset' }
    const listed = { ...endpoint, list }
    const isWhole = list.paging === 'none'
    const records = await (isWhole ? service.records(listed, input) : service.pages(listed, input, paging))
    await show.genericList(records, paging.limit)
  }
}
