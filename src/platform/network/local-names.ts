import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

export interface LocalNames {
  /** The addresses of a name in the hosts file; empty if it is not listed. */
  addresses(host: string): readonly LookupAddress[]
  /** The names to ask a name server for, in order: on this network, parts of a name may be left out. */
  fullNames(host: string): string[]
}

/** A change of the files takes effect after this time. */
const keptMs = 5_000

/** The names that this machine knows without a name server: /etc/hosts, and the search list of /etc/resolv.conf. */
export class SystemNames {
  #read: Promise<LocalNames> | undefined
  #readMs = -Infinity

  async get (): Promise<LocalNames> {
    if (this.#read === undefined || performance.now() - this.#readMs > keptMs) {
      this.#readMs = performance.now()
      this.#read = Promise.all(['/etc/hosts', '/etc/resolv.conf'].map(textOf)).then(([hosts = '', resolver = '']) =>
        localNames(hosts, resolver)
      )
    }
    return await this.#read
  }
}

/** The formats are those of hosts(5) and resolv.conf(5). */
export function localNames (hosts: string, resolver: string): LocalNames {
  const known = new Map<string, LookupAddress[]>()
  for (const [address = '', ...names] of wordsOf(hosts)) {
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      known.set(key, [...known.get(key) ?? [], { address, family }])
    }
  }
  let search: string[] = []
  let dots = 1
  for (const [keyword, ...values] of wordsOf(resolver)) {
    if (keyword === 'search' || keyword === 'domain') search = values
    if (keyword === 'options') dots = Number(/(?:^| )ndots:(\d+)/.exec(values.join(' '))?.[1] ?? dots)
  }
  return {
    addresses: (host) => known.get(host) ?? [],
    fullNames (host) {
      const longer = search.map((domain) => `${host}.${domain.replace(/^\.|\.$/g, '')}`)
      return host.split('.').length > dots ? [host, ...longer] : [...longer, host]
    }
  }
}

function wordsOf (text: string): string[][] {
  return text.split('\n').map((line) => line.replace(/[#;].*/, '').trim().split(/\s+/)).filter(([first]) =>
    first !== ''
  )
}

/** The text of a file; empty if the machine has no such file. */
async function textOf (path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
