import t from 'tap'
import { addressGroup, networkOf } from '../../src/api/address-group.ts'

t.test('of IPv6 a network of 64 bits is one caller, however its address is written', async (t) => {
  for (const address of ['2001:db8::1', '2001:db8::ffff:1', '2001:0db8:0:0:1:2:3:4', '2001:db8:0:0::7']) {
    t.equal(addressGroup(address), '2001:db8:0:0', address)
  }
  t.equal(addressGroup('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  t.equal(addressGroup('::1'), '0:0:0:0')
  t.equal(addressGroup('fe80::1%eth0'), 'fe80:0:0:0')
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1']) t.equal(addressGroup(address), address)
})

t.test('a site has a network of 48 bits of IPv6, or of 24 bits of IPv4', async (t) => {
  t.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1')
  t.equal(networkOf('2001:db8::7'), '2001:db8:0')
  t.equal(networkOf('192.0.2.1'), '192.0.2')
  t.equal(networkOf('::ffff:192.0.2.1'), '::ffff:192.0.2')
  t.equal(networkOf(''), '')
})
