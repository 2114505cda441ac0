import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

export type Fault =
  /** Answers with this status and does not ask the server. */
  | { kind: 'status', status: number, code?: string, headers?: Record<string, string> }
  /** Waits before it asks the server. */
  | { kind: 'slow', delayMs: number }
  /** Gives so many bytes of the answer's body and breaks the connection. */
  | { kind: 'truncate', bytes: number }
  /** Breaks the connection instead of asking the server. */
  | { kind: 'reset' }
  /** Has the server do it, and breaks the connection instead of passing its answer on. */
  | { kind: 'lost-answer' }
  /** Takes the request and says nothing. */
  | { kind: 'silent' }

export interface FaultProxy {
  endpoint: string
  /** What befalls requests from now on: all of those that `applies` to. */
  inject(fault: Fault, applies?: (request: IncomingMessage) => boolean): void
  heal(): void
  /** `METHOD path` of each request since the start. */
  readonly requests: string[]
  /** How many requests met a fault. */
  readonly faults: number
}

/** A proxy in front of a real HTTP server, which it leaves as it is but for the faults that a test asks for. */
export async function startFaultProxy (t: Test, target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const requests: string[] = []
  let faults = 0
  let fault: Fault | undefined
  let applies: (request: IncomingMessage) => boolean = () => true

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse,
    active: Fault | undefined): Promise<void> => {
    if (active?.kind === 'slow') await sleep(active.delayMs)
    const { method, url: path, headers } = incoming
    const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      if (active?.kind === 'lost-answer') {
        answer.resume()
        outgoing.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      let left = active?.kind === 'truncate' ? active.bytes : Infinity
      answer.on('data', (chunk: Buffer) => {
        if (chunk.length < left) outgoing.write(chunk)
        else if (left > 0) outgoing.write(chunk.subarray(0, left), () => outgoing.destroy())
        left -= chunk.length
      })
      answer.on('end', () => outgoing.end())
      answer.on('error', () => outgoing.destroy())
    })
    // Whichever side goes away, the other one is told.
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    incoming.on('error', () => sent.destroy())
    incoming.pipe(sent)
  }

  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    const active = fault !== undefined && applies(incoming) ? fault : undefined
    if (active !== undefined) faults++
    outgoing.on('error', () => undefined)
    switch (active?.kind) {
      case 'reset':
        incoming.socket.resetAndDestroy()
        break
      case 'silent':
        incoming.resume()
        break
      case 'status':
        incoming.resume().on('end', () => {
          outgoing.writeHead(active.status, { 'content-type': 'application/xml', ...active.headers })
          outgoing.end(
            incoming.method === 'HEAD'
              ? ''
              : `<?xml version="1.0"?><Error><Code>${
                active.code ?? 'InternalError'
              }</Code><Message>injected</Message></Error>`
          )
        })
        break
      default:
        void forward(incoming, outgoing, active)
    }
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inject (next, condition = () => true) {
      fault = next
      applies = condition
    },
    heal () {
      fault = undefined
    },
    requests,
    get faults () {
      return faults
    }
  }
}
