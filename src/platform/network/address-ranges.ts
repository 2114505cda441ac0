import { BlockList, isIP } from 'node:net'

/**
 * The kind of an address, after IANA's registries of special-purpose addresses. Only `public` may be reached by
 * default.
 */
export type AddressKind = 'public' | 'metadata' | 'loopback' | 'private' | 'link_local' | 'multicast' | 'reserved'

/** The first list that contains the address decides. */
const special: ReadonlyArray<readonly [AddressKind, BlockList]> = [
  // Metadata services hand out credentials to whoever asks. The list has whole networks where a cloud runs several such
  // services side by side: AWS, GCP, Azure and OpenStack in 169.254.169.0/24 (GKE at .252), ECS (.2) and EKS (.23) in
  // 169.254.170.0/24.
  ['metadata', blocks(
    '169.254.169.0/24',
    '169.254.170.0/24',
    'fd00:ec2::/64',
    'fd20:ce::254',
    'fe80::a9fe:a9fe',
    '168.63.129.16', // the host agent of Azure
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    '169.254.0.23', // Tencent
    '169.254.42.42',
    'fd00:42::42' // Scaleway
  )],
  ['loopback', blocks('127.0.0.0/8', '::1/128')],
  ['private', blocks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')],
  ['link_local', blocks('169.254.0.0/16', 'fe80::/10', 'fec0::/10')],
  ['multicast', blocks('224.0.0.0/4', 'ff00::/8')],
  ['reserved', blocks(
    '0.0.0.0/8',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '2001::/23',
    '2001:db8::/32',
    '3fff::/20'
  )]
]

/** All of IPv6 that has been assigned; addresses outside are special or not in use. */
const globalUnicast = blocks('2000::/3')

/**
 * `address` is an IP address as text; any other text is `reserved`. A form that carries an IPv4 address has the kind of
 * that address.
 */
export function addressKind (address: string): AddressKind {
  const plain = plainAddress(address)
  const family = isIP(plain)
  if (family === 0) return 'reserved'
  for (const [kind, list] of special) if (contains(list, plain)) return kind
  return family === 4 || contains(globalUnicast, plain) ? 'public' : 'reserved'
}

/** Whether the list contains the address, or the IPv4 address that it carries. */
export function contains (list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  return list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Makes a list of networks such as 10.1.0.0/16 and single addresses. Throws a RangeError or TypeError that names the
 * fault.
 */
export function blocks (...networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const family = isIP(address)
    if (family === 0 || rest.length > 0) throw new RangeError(`${JSON.stringify(network)} is not a network`)
    const type = family === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, type)
    else if (/^\d{1,3}$/.test(bits)) list.addSubnet(address, Number(bits), type)
    else throw new RangeError(`${JSON.stringify(network)} is not a network`)
  }
  return list
}

/**
 * The address without its zone; IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) and 6to4 (2002::/16) forms become the
 * IPv4 address inside.
 */
export function plainAddress (address: string): string {
  const [plain = ''] = address.split('%')
  if (isIP(plain) !== 6) return plain
  const words = wordsOf(plain)
  if (words[0] === 0x2002) return dotted(words[1], words[2])
  const mapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  const nat64 = words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0)
  return mapped || nat64 ? dotted(words[6], words[7]) : plain
}

/** The eight 16-bit words of a valid IPv6 address. */
function wordsOf (address: string): number[] {
  const hex = address.replace(/(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_dotted, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = [], tail = []] = hex.split('::').map((part) =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))
  )
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

function dotted (high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
