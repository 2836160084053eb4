import { formatDuration } from '../../base/time/duration.ts'

/** Returns what a fault does, such as `2s late`. `of` returns the text of a member of its effect, empty if it has none. */
export function effectWords(of: (member: string) => string): string {
  const length = () => formatDuration(Number(of('ms')))
  switch (of('kind')) {
    case 'status':
      return of('message') === '' ? `status ${of('status')}` : `status ${of('status')}: ${of('message')}`
    case 'latency':
      return `${length()} late`
    case 'reset':
      return 'connection reset'
    case 'close':
      return 'connection closed'
    case 'hang':
      return 'no answer'
    case 'truncate':
      return `cut off after ${of('bytes')} bytes`
    case 'malformed':
      return 'malformed JSON'
    case 'dribble':
      return 'body in dribbles'
    case 'oversize':
      return `${of('bytes')} bytes larger`
    case 'redirect':
      return `redirect to ${of('url')}`
    case 'skew':
      return `Date off by ${length()}`
    case 'duplicate-webhook':
      return `webhooks ${of('times')} times`
    case 'late-webhook':
      return `webhooks ${length()} late`
    case 'lost-webhook':
      return 'webhooks lost'
    default:
      return of('kind')
  }
}
