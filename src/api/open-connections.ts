import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

interface Connection {
  socket: Socket
  /** Its address and its network. */
  groups: readonly [Group, Group]
  /** Requests without a complete answer. */
  readonly underWay: Set<IncomingMessage>
  /** It was opened or had a request since the last search. */
  isUsed: boolean
}

interface Group {
  count: number
  /** Connections that may be idle, those that were not used for long in front. */
  readonly idle: Set<Connection>
  /** Connections that a search found busy, those that it found first in front. */
  readonly busy: Set<Connection>
}

/** So many connections of a group never give way to those of another. */
const kept = 8
/** Busy connections that one search looks at. */
const maxLooks = 16

/**
 * The connections of a server, by address and by network. A request costs next to nothing: the search for connections
 * that may go happens when one has to.
 */
export class OpenConnections {
  count = 0
  readonly #open = new WeakMap<Socket, Connection>()
  readonly #addresses = new Groups()
  readonly #networks = new Groups()

  /** Returns how many connections the address has. */
  open (socket: Socket, address: string, network: string): number {
    const groups = [this.#addresses.find(address), this.#networks.find(network)] as const
    const connection = { socket, groups, underWay: new Set<IncomingMessage>(), isUsed: true }
    this.#open.set(socket, connection)
    for (const { idle } of groups) idle.add(connection)
    this.#count(groups, 1)
    socket.once('close', () => {
      this.#gone(socket)
      this.#addresses.forget(address)
      this.#networks.forget(network)
    })
    return groups[0].count
  }

  begin (request: IncomingMessage): void {
    const connection = this.#open.get(request.socket)
    if (connection === undefined) return
    connection.underWay.add(request)
    connection.isUsed = true
  }

  end (request: IncomingMessage): void {
    const connection = this.#open.get(request.socket)
    connection?.underWay.delete(request)
    if (connection === undefined || connection.underWay.size > 0) return
    for (const { busy, idle } of connection.groups) if (busy.delete(connection)) idle.add(connection)
  }

  close (socket: Socket): void {
    this.#gone(socket)
    socket.destroy()
  }

  /**
   * Closes a connection to make room for the newcomer: one of the address with the most connections, or else of the
   * network with the most. It is an idle one if that has any; a busy one has to go only for a newcomer from where
   * there are at most half as many. Otherwise two addresses that read slowly would hold all connections, or push out
   * everybody else by connecting. One whose request may have changed something has to go last, because its client would
   * not know. If nothing else can go, closes the newcomer.
   */
  makeRoom (newcomer: Socket): void {
    const come = this.#open.get(newcomer)
    if (come === undefined) return
    const goes = toGive(this.#addresses.largest(), come, 0) ?? toGive(this.#networks.largest(), come, 1) ?? come
    this.close(goes.socket)
  }

  #gone (socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    this.#open.delete(socket)
    for (const { idle, busy } of connection.groups) {
      idle.delete(connection)
      busy.delete(connection)
    }
    this.#count(connection.groups, -1)
  }

  #count ([address, network]: readonly [Group, Group], by: 1 | -1): void {
    this.count += by
    this.#addresses.count(address, by)
    this.#networks.count(network, by)
  }
}

class Groups {
  readonly #byName = new Map<string, Group>()
  /** At index n: groups with n connections. */
  readonly #withCount: Array<Set<Group>> = []
  #most = 0

  find (name: string): Group {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const group = { count: 0, idle: new Set<Connection>(), busy: new Set<Connection>() }
    this.#byName.set(name, group)
    return group
  }

  forget (name: string): void {
    if (this.#byName.get(name)?.count === 0) this.#byName.delete(name)
  }

  largest (): Group | undefined {
    return first(this.#withCount[this.#most] ?? [])
  }

  /** Counts change by one, so the largest group is known without a search. */
  count (group: Group, by: 1 | -1): void {
    const [from, to] = [group.count, group.count + by]
    group.count = to
    this.#withCount[from]?.delete(group)
    if (to > 0) (this.#withCount[to] ??= new Set()).add(group)
    if (to > this.#most || (from === this.#most && this.#withCount[from]?.size === 0)) this.#most = to
  }
}

function toGive (largest: Group | undefined, newcomer: Connection, level: 0 | 1): Connection | undefined {
  if (largest === undefined) return undefined
  const idle = longestIdle(largest, newcomer)
  if (idle !== undefined) return idle
  const own = newcomer.groups[level].count
  return largest.count > kept && largest.count >= 2 * own ? busyOne(largest) : undefined
}

/** A busy connection of the group, one that was found busy long ago and has changed nothing if there is any. */
function busyOne ({ busy }: Group): Connection | undefined {
  for (let looks = Math.min(maxLooks, busy.size); looks > 0; looks--) {
    const next = first(busy)
    if (next === undefined || hasChangedNothing(next)) return next
    busy.delete(next)
    busy.add(next)
  }
  return first(busy)
}

/** A request whose body is incomplete has changed nothing. */
function hasChangedNothing ({ underWay }: Connection): boolean {
  return [...underWay].every(({ method, complete }) => method === 'GET' || method === 'HEAD' || !complete)
}

/** An idle connection of the group other than the newcomer, one that was not used for long. */
function longestIdle ({ idle, busy }: Group, newcomer: Connection): Connection | undefined {
  for (let next = first(idle); next !== undefined; next = first(idle)) {
    const isIdle = next.underWay.size === 0 && !next.isUsed
    if (isIdle && next !== newcomer) return next
    if (isIdle && idle.size === 1) return undefined
    // The newcomer, and one that was used recently, move behind the others.
    idle.delete(next)
    next.isUsed = false
    if (next.underWay.size > 0) busy.add(next)
    else idle.add(next)
  }
  return undefined
}

function first<T> (values: Iterable<T>): T | undefined {
  return values[Symbol.iterator]().next().value
}
