import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TabcastError } from '../platform/errors.ts'
import { GatheredRequest } from './gathered-body.ts'
import { refuseOutside } from './plugins/outside-requests.ts'

/** Requests that may wait on a connection behind the one that is being answered. */
export const maxWaiting = 16
const lingerMs = 1_000

/**
 * Answers the requests of a connection one after the other. A client may send the next ones before it has an answer,
 * and Node would begin all that one packet holds, in one turn of its loop; whatever those that wait had opened would
 * stay open, as Node tells of the end of a connection only the response whose turn it is.
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

  /**
   * The class of the server's requests. One read of a socket holds two thousand requests, and Node's parser goes on to
   * its end, but not behind a request that leaves HTTP: so the first one behind a line that has ended says that it
   * does.
   */
  requestClass (): typeof IncomingMessage {
    const lines = this.#lines
    const hasEnded = (socket: Socket): boolean => lines.get(socket)?.isClosed === true
    return class extends GatheredRequest {
      get upgrade (): boolean {
        return this.method === 'CONNECT' || hasEnded(this.socket)
      }

      // What the parser has found: no other protocol is spoken here.
      set upgrade (_isAsked: boolean) {}

      protected override refuseBody (): void {
        const { socket } = this
        lines.get(socket)?.refuse(crumbs())
        // Whoever reads the body ends with the connection; the client has a moment to read why.
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

  /** Nothing that comes is answered any more. */
  get isClosed (): boolean {
    return this.#isClosed
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
      // Other connections have their turn first. Until then the one before keeps the place.
      else {setImmediate(() => {
          if (this.#socket.writable) this.#start(next)
          else this.#close(next)
        })}
    } else this.#close()
  }

  /** Whoever counts answers hears of the end of those that never began. */
  #close (...dropped: Exchange[]): void {
    this.#isClosed = true
    for (const { response } of [...dropped, ...this.#waiting.splice(0)]) response.emit('close')
  }

  /** What they hold of memory goes with the connection, which therefore ends at once. */
  refuse (error: TabcastError): void {
    this.#close()
    // What was written in this turn goes out first.
    setImmediate(() => {
      if (this.#mayBeToldSo()) refuseOutside(this.#socket, error)
      else this.#socket.destroy()
    })
  }

  /** Not within an answer, and not in the place of one that may have changed something. */
  #mayBeToldSo (): boolean {
    if (this.#current === undefined || !this.#socket.writable) return this.#socket.writable
    const { request, response } = this.#current
    // A request whose body has not come to its end has changed nothing.
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
    suggestion: 'Send a request when the one before has its answer, or use more connections.'
  })
}
