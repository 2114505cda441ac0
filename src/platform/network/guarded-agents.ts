import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { NetworkRefusal } from './network-refusal.ts'

/** The checks that an agent makes before and after it connects. */
interface Guard {
  resolve(host: string, port: number, tenant: string | undefined): Promise<LookupAddress[]>
  permitsPeer(host: string, port: number, address: string): boolean
}

export interface GuardedAgentOptions {
  keepAlive?: boolean
  /** The tenant that gave the hosts; absent: the operator gave them. */
  tenant?: string
}

type Created = (error: Error | null, socket: Duplex) => void

/** An http.Agent that connects only where the policy allows. */
export class GuardedHttpAgent extends HttpAgent {
  readonly #guard: Guard
  readonly #tenant: string | undefined

  constructor (guard: Guard, { tenant, ...options }: GuardedAgentOptions) {
    super(options)
    this.#guard = guard
    this.#tenant = tenant
  }

  override createConnection (options: ClientRequestArgs, callback?: Created): undefined {
    connect(this.#guard, this.#tenant, options, (checked) => super.createConnection(checked) as Socket, callback)
  }
}

/** The same for https. The certificate is checked against the host's name, whatever its address. */
export class GuardedHttpsAgent extends HttpsAgent {
  readonly #guard: Guard
  readonly #tenant: string | undefined

  constructor (guard: Guard, { tenant, ...options }: GuardedAgentOptions) {
    super(options)
    this.#guard = guard
    this.#tenant = tenant
  }

  override createConnection (options: RequestOptions, callback?: Created): undefined {
    connect(this.#guard, this.#tenant, options, (checked) => super.createConnection(checked) as Socket, callback)
  }
}

function connect (guard: Guard, tenant: string | undefined, options: ClientRequestArgs,
  open: (checked: ClientRequestArgs) => Socket, callback?: Created): void {
  const host = options.host ?? ''
  const port = Number(options.port)
  // Node calls back with either an error or a socket, but its types require both.
  const fail = (error: unknown) => callback?.(error as Error, undefined as unknown as Duplex)
  guard.resolve(host, port, tenant).then((addresses) => {
    const socket = open({ ...options, lookup: handOut(addresses) })
    socket.once('connect', () => {
      if (!guard.permitsPeer(host, port, socket.remoteAddress ?? '')) socket.destroy(new NetworkRefusal('address'))
    })
    callback?.(null, socket)
  }).catch(fail)
}

/** A look-up that returns the checked addresses, whatever the name server would answer by now. */
function handOut (addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, addresses)
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}
