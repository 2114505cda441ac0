import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from 'tap'

export interface NameServer {
  /** As the settings want it. */
  address: string
  /** The names that were asked for, in the order they came, each as often as it came. */
  asked: string[]
}

const headerBytes = 12
const ipv4 = 1
const serverFailure = 2
const noSuchName = 3

/**
 * A real name server on 127.0.0.1. `zone` says the IPv4 addresses of a name; an empty list: there is no such name;
 * `fails`: the server says that it cannot answer; undefined: no answer ever comes.
 */
export async function startNameServer (t: Test,
  zone: (name: string) => string[] | 'fails' | undefined): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    asked.push(name)
    const addresses = zone(name)
    if (addresses === undefined) return
    const [known, code]: [string[], number] = addresses === 'fails'
      ? [[], serverFailure]
      : [type === ipv4 ? addresses : [], addresses.length === 0 ? noSuchName : 0]
    socket.send(answer(query.subarray(0, end), known, code), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function questionOf (query: Buffer): { name: string, type: number, end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** The question again, with a record for each address (RFC 1035, 4.1). */
function answer (question: Buffer, addresses: string[], code: number): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, ipv4, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
  )
  return Buffer.concat([head, ...records])
}
