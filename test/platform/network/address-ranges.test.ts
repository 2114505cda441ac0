import t from 'tap'
import { addressKind, blocks, contains, type AddressKind } from '../../../src/platform/network/address-ranges.ts'

const examples: Record<AddressKind, string[]> = {
  public: [
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1'
  ],
  metadata: [
    '169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '169.254.169.0',
    '169.254.169.252',
    '169.254.169.255',
    '169.254.170.0',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.170.255',
    '::ffff:169.254.170.2',
    '64:ff9b::a9fe:aa17',
    '2002:a9fe:aa02::',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '169.254.0.23',
    '169.254.42.42',
    'fd00:42::42',
    'fe80::a9fe:a9fe',
    'fe80::a9fe:a9fe%eth0',
    'fd00:ec2::254',
    'FD00:0EC2:0:0:0:0:0:0254',
    'fd00:ec2::23',
    'fd20:ce::254'
  ],
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1',
    '0:0:0:0:0:FFFF:7F00:0001', '64:ff9b::7f00:1', '2002:7f00:1::'],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
    '100.64.0.0',
    '100.127.255.255',
    'fc00::',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '::ffff:10.0.0.1',
    '64:ff9b::c0a8:1',
    '2002:a00:1::1'
  ],
  link_local: ['169.254.0.0', '169.254.168.255', '169.254.171.0', '169.254.255.255', 'fe80::1', 'fe80::1%eth0',
    'febf:ffff::', 'fec0::1', '::ffff:169.254.1.1'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1', '::ffff:224.0.0.1'],
  reserved: [
    '0.0.0.0',
    '0.255.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.0',
    '255.255.255.255',
    '::',
    '::7f00:1',
    '::127.0.0.1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '::ffff:0:7f00:1',
    '::ffff:0.0.0.0',
    '2002:0:0::1'
  ]
}

t.test('addresses are judged by their bytes, at the edges of every range and in every form that carries an IPv4 ' +
  'address', async (t) => {
  for (const [kind, addresses] of Object.entries(examples)) {
    for (const address of addresses) t.equal(addressKind(address), kind, address)
  }
})

t.test('what is not an address is never public', async (t) => {
  for (const text of ['', 'localhost', '127.1', '0x7f.0.0.1', '8.8.8', '8.8.8.8.8', '[::1]', ':::', '1.2.3.4/32',
    '٨.٨.٨.٨']) {
    t.equal(addressKind(text), 'reserved', text)
  }
})

t.test('a list of networks has the forms of its addresses too, and refuses what is no network', async (t) => {
  const list = blocks('10.1.0.0/16', 'fd12::/16', '192.168.7.9')
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd12::1', 'fd12::1%eth0', '192.168.7.9']) {
    t.ok(contains(list, address), address)
  }
  for (const address of ['10.2.0.0', 'fd13::1', '192.168.7.8', 'nonsense']) t.notOk(contains(list, address), address)
  for (const network of ['10.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129',
    'example.com', '::/x', '/8']) {
    t.throws(() => blocks(network), RangeError, network)
  }
})
