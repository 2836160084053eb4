import { type JsonObject, jsonObjects } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'

/** Whether a time can be booked, and if not, why. */
export type TimeState = 'free' | 'full' | 'expired' | 'closed'

/** The times of one day, one a row, in the service's own order. A day or service without times is a row that says why. */
export function rowsOfDay(day: JsonObject): JsonObject[] {
  const isClosed = day['isVenueOpen'] === false
  const message = plainText(day['blockoutMessage'])
  const services = jsonObjects(day['services'])
  if (services.length === 0) return isClosed || message !== '' ? [{ state: 'closed', message }] : []
  return services.flatMap((service) => {
    const common = {
      serviceId: service['id'],
      serviceName: service['name'],
      serviceType: service['serviceType'],
      duration: service['duration'],
      paymentDetails: service['paymentDetails'],
      ...(message === '' ? {} : { message }),
    }
    const times = jsonObjects(service['times'])
    if (times.length === 0) return [{ ...common, state: isClosed ? 'closed' : 'full' }]
    return times.map((time) => ({ ...common, ...rowOfTime(time, service, isClosed) }))
  })
}

function rowOfTime(time: JsonObject, service: JsonObject, isClosed: boolean): JsonObject {
  const names = new Map(
    jsonObjects(service['sections']).map((section) => [plainText(section['id']), plainText(section['name'])]),
  )
  const sectionIds = jsonObjects(time['sections'])
    .filter((section) => section['sectionState'] !== false)
    .map((section) => plainText(section['id']))
  const hasSections = jsonObjects(time['sections']).length > 0
  const isFull = time['bookingOptionsCount'] === 0 || (hasSections && sectionIds.length === 0)
  const state: TimeState = isClosed ? 'closed' : time['expired'] === true ? 'expired' : isFull ? 'full' : 'free'
  return {
    time: time['time'],
    name: time['name'],
    state,
    bookingOptionsCount: time['bookingOptionsCount'],
    sectionIds,
    sectionNames: sectionIds.map((id) => names.get(id) || id),
  }
}
