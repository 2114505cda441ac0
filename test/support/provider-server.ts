import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { loadConfig } from '../../src/platform/config.ts'
import { providerPolicy } from '../../src/platform/network/provider-policy.ts'
import { AnswerCache } from '../../src/sources/covariates/http/answer-cache.ts'
import { HttpSource, type HttpSettings } from '../../src/sources/covariates/http/http-source.ts'
import { RequestQuota } from '../../src/sources/covariates/http/request-quota.ts'

export type Handler = (response: ServerResponse,
  asked: { path: string, query: Record<string, string>, index: number }) => void

export interface ProviderServer {
  url: string
  /** What was asked, in order. */
  asked: Array<{ path: string, query: Record<string, string>, index: number }>
  /** How many are open. */
  connections(): Promise<number>
  source(settings?: Partial<HttpSettings>): HttpSource
}

/** A server on 127.0.0.1 that stands where a provider would, and sources that ask it with short pauses. */
export async function openProviderServer (t: Test, handler: Handler): Promise<ProviderServer> {
  const asked: ProviderServer['asked'] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const one = { path: url.pathname, query: Object.fromEntries(url.searchParams), index: asked.length }
    asked.push(one)
    handler(response, one)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    connections: () => promisify(server.getConnections.bind(server))(),
    source: (settings = {}) =>
      new HttpSource({
        id: 'there',
        baseUrl: url,
        policy: providerPolicy(loadConfig({}), [url]),
        timeoutMs: 5_000,
        maxBytes: 1_000_000,
        quota: new RequestQuota(1_000),
        cache: new AnswerCache(1_000_000),
        retryPausesMs: [1, 1],
        maxWaitMs: 2_000,
        maxTurnMs: 2_000,
        ...settings
      })
  }
}

export function sendJson (response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(
    typeof value === 'string' ? value : JSON.stringify(value)
  )
}
