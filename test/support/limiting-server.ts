import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/**
 * Answers 429 to everything, as the service does over a quota, and keeps what it was asked. The path says when to come
 * back: `/jobs/after-90` in 90 s, `/jobs/date-90` at a date that is 90 s away, `/jobs/soon` in words; anything else in
 * 29,869 s. Its clock is an hour ahead.
 */
export async function startLimitingServer (t: Test): Promise<{ url: string, requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const [, form, seconds] = /\/(after|date|asctime|soon)-?(\d*)/.exec(request.url ?? '') ?? ['', 'after', '29869']
    const now = Date.now() + 3_600_000
    const at = new Date(now + Number(seconds) * 1000)
    const [day, date = '', month = '', year = '', time = ''] = at.toUTCString().split(/,? /)
    const text = {
      after: seconds,
      date: at.toUTCString(),
      asctime: `${day} ${month} ${date.padStart(2)} ${time} ${year}`,
      soon: 'soon'
    }[form as 'after']
    response.writeHead(429, {
      'content-type': 'application/json',
      date: new Date(now).toUTCString(),
      'retry-after': text
    })
    const body = JSON.stringify({
      detail: { detail: '1000 of 1000 jobs are taken.', suggestion: 'Ask for more.' },
      error_code: 'rate_limited',
      retryable: true,
      request_id: 'req_1'
    })
    request.resume().once('end', () => response.end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
