import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TabcastError } from '../platform/errors.ts'
import { GatheredRequest } from './gathered-body.ts'
import { refuseOutside } from './plugins/outside-requests.ts'

/** Requests that may wait on a connection behind the current one. */
export const maxWaiting = 16
const lingerMs = 1_000

/**
 * Answers the requests of a connection one after the other. Clients may send further requests before they have an
 * answer, and Node would begin all requests of a packet in one pass of the event loop. When the connection ends, Node
 * tells only the current response, so anything that waiting requests had opened would stay open.
 */
export class RequestLines {
  readonly #answer: RequestListener
  readonly #lines = new WeakMap<Socket, RequestLine>()

  constructor (answer: RequestListener) {
    this.#answer = answer
  }

  readonly listener: RequestListener = (request, response) => {
    const { socket } = request
    let line = this.#lines.get(socket)
    if (line === undefined) this.#lines.set(socket, line = new RequestLine(socket, this.#answer))
    line.add({ request, response })
  }

  /** The request of the connection that arrived whole and has no answer yet. */
  unanswered (socket: Socket): IncomingMessage | undefined {
    return this.#lines.get(socket)?.unanswered
  }

  /**
   * The class of the server's requests. One read of a socket can hold two thousand requests, and Node's parser
   * continues to the end, but it stops after a request that upgrades to another protocol. So once a line has ended, its
   * next request claims to be an upgrade.
   */
  requestClass (): typeof IncomingMessage {
    const lines = this.#lines
    const hasEnded = (socket: Socket): boolean => lines.get(socket)?.isClosed === true
    return class extends GatheredRequest {
      get upgrade (): boolean {
        return this.method === 'CONNECT' || hasEnded(this.socket)
      }

      // Ignores what the parser found, because no other protocol is supported.
      set upgrade (_isAsked: boolean) {}

      protected override refuseBody (): void {
        const { socket } = this
        lines.get(socket)?.refuse(crumbs())
        // Readers of the body end with the connection, which stays open for a moment so that the client can read the
        // error.
        socket.once('close', () => this.destroy())
        setTimeout(() => socket.destroy(), lingerMs).unref()
      }
    }
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse<IncomingMessage> & { req: IncomingMessage }
}

class RequestLine {
  readonly #socket: Socket
  readonly #answer: RequestListener
  #current: Exchange | undefined
  #waiting: Exchange[] = []
  #isClosed = false

  constructor (socket: Socket, answer: RequestListener) {
    this.#socket = socket
    this.#answer = answer
  }

  /** No further request is answered. */
  get isClosed (): boolean {
    return this.#isClosed
  }

  get unanswered (): IncomingMessage | undefined {
    if (this.#current === undefined) return undefined
    const { request, response } = this.#current
    return request.complete && !response.headersSent ? request : undefined
  }

  add (exchange: Exchange): void {
    if (this.#isClosed) exchange.response.emit('close')
    else if (this.#current === undefined) this.#start(exchange)
    else {
      this.#waiting.push(exchange)
      if (this.#waiting.length > maxWaiting) this.refuse(tooManyWaiting())
    }
  }

  #start (exchange: Exchange): void {
    this.#current = exchange
    exchange.response.once('close', () => this.#next())
    this.#answer(exchange.request, exchange.response)
  }

  #next (): void {
    if (this.#socket.writable) {
      const next = this.#waiting.shift()
      if (next === undefined) this.#current = undefined
      // Other connections come first. Until then the previous request keeps its place.
      else {setImmediate(() => {
          if (this.#socket.writable) this.#start(next)
          else this.#close(next)
        })}
    } else this.#close()
  }

  /** Tells whoever counts answers that the waiting ones end without having begun. */
  #close (...dropped: Exchange[]): void {
    this.#isClosed = true
    for (const { response } of [...dropped, ...this.#waiting.splice(0)]) response.emit('close')
  }

  /** Ends the connection at once, because the memory of its requests goes with it. */
  refuse (error: TabcastError): void {
    this.#close()
    // After what was written in this pass of the event loop.
    setImmediate(() => {
      if (this.#mayRefuse()) refuseOutside(this.#socket, error)
      else this.#socket.destroy()
    })
  }

  /** Not in the middle of an answer, and not in place of one whose request may have changed something. */
  #mayRefuse (): boolean {
    if (this.#current === undefined || !this.#socket.writable) return this.#socket.writable
    const { request, response } = this.#current
    // A request whose body is incomplete has changed nothing.
    return response.writableEnded ||
      (!response.headersSent && (request.method === 'GET' || request.method === 'HEAD' || !request.complete))
  }
}

function crumbs (): TabcastError {
  return new TabcastError('validation_error', 'The body comes in chunks of a few bytes each; nothing was stored.', {
    status: 400,
    suggestion: 'Send it with a Content-Length, or in chunks of some kilobytes.'
  })
}

function tooManyWaiting (): TabcastError {
  return new TabcastError('validation_error', `More than ${maxWaiting} requests wait on this connection.`, {
    status: 400,
    suggestion: 'Wait for the answer to the previous request, or use more connections.'
  })
}
