'use strict'
// A handler that appends its start and end to the file named by NOTES. Some of its runs take longer than others.
const { appendFileSync } = require('node:fs')
const { NOTES, PARTNER_WEBHOOK_SUBJECT: subject, PARTNER_WEBHOOK_EVENT: event } = process.env
const note = (what) => appendFileSync(NOTES, `${what} ${subject} ${event} ${process.pid}\n`)

note('start')
setTimeout(() => note('end'), process.pid % 16 < 4 ? 50 : 0)
