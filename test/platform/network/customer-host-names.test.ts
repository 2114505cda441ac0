import t from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { callbackPolicy } from '../../../src/platform/network/callback-policy.ts'
import { CustomerHostNames } from '../../../src/platform/network/customer-host-names.ts'
import { localNames } from '../../../src/platform/network/local-names.ts'
import { startNameServer } from '../../support/name-server.ts'

/* Names that customers gave, looked up at a real name server. */

t.test('a name has the addresses that its name server says, or none, and is asked for once by all who want it', async (t) => {
  const server = await startNameServer(t, (name) => name === 'two.example' ? ['192.0.2.1', '192.0.2.2'] : [])
  const names = new CustomerHostNames({ servers: [server.address] })
  const all = await Promise.all([1, 2, 3].map(() => names.resolve('two.example', 'acme')))
  for (const found of all) {
    t.strictSame(found, [{ address: '192.0.2.1', family: 4 }, { address: '192.0.2.2', family: 4 }])
  }
  t.equal(server.asked.length, 2, 'one question for each family of addresses')
  for (let again = 0; again < 3; again++) await t.rejects(names.resolve('none.example', 'acme'), { code: 'ENOTFOUND' })
  t.equal(server.asked.filter((name) => name === 'none.example').length, 2,
    'a name that is not there is not asked for again at once')
  t.strictSame((await names.resolve('a.localhost', 'acme')).map(({ address }) => address), ['127.0.0.1', '::1'],
    'this machine, whatever servers say')
})

t.test('of a name with many addresses few are looked at, and its answer is kept for a while', async (t) => {
  const many = Array.from({ length: 30 }, (_each, index) => `8.8.4.${index}`)
  const server = await startNameServer(t, () => many)
  const policy = callbackPolicy(loadConfig({ TABCAST_NAME_SERVERS: server.address }))
  const found = (await policy.resolve('many.example', 443, 'acme')).map(({ address }) => address)
  t.equal(found.length, 8)
  t.ok(found.every((address) => many.includes(address)))
  t.strictSame((await policy.resolve('many.example', 443, 'acme')).map(({ address }) => address), found)
  t.equal(server.asked.length, 2, 'one question for each family')
})

t.test('names that nobody answers for hold up few look-ups, all of their own tenant', async (t) => {
  const server = await startNameServer(t, (name) => name.endsWith('.dead.example') ? undefined : ['192.0.2.7'])
  const names = new CustomerHostNames({ servers: [server.address] })
  const dead = Array.from({ length: 200 },
    (_each, index) =>
      names.resolve(`n${index}.dead.example`, 'evil').then(() => 'found', (error: NodeJS.ErrnoException) => error.code))
  t.strictSame(await names.resolve('fine.example', 'acme'), [{ address: '192.0.2.7', family: 4 }])
  t.equal(new Set(server.asked.filter((name) => name.endsWith('.dead.example'))).size, 4,
    'so many of one tenant are under way')
  t.strictSame([...new Set(await Promise.all(dead))], ['EAI_AGAIN'], 'each of them ends')
  t.ok(new Set(server.asked).size < 30, 'those that waited for too long are not asked for any more')
})

t.test('where the operator opened private networks, the hosts file and the search list count, and nowhere else', async (t) => {
  const server = await startNameServer(t, (name) => name === 'store.inside.example' ? ['10.0.0.8'] : [])
  const files = localNames('127.0.0.1 localhost\n10.0.0.5\tobjects.inside Objects # ours\nnonsense here\n',
    'nameserver 10.0.0.2\nsearch other.example inside.example.\noptions edns0 ndots:2\n')
  t.strictSame(files.addresses('objects'), [{ address: '10.0.0.5', family: 4 }])
  t.strictSame(files.addresses('here'), [])
  t.strictSame(files.fullNames('store'), ['store.other.example', 'store.inside.example', 'store'])
  t.strictSame(files.fullNames('a.b.c'), ['a.b.c', 'a.b.c.other.example', 'a.b.c.inside.example'])
  const local = new CustomerHostNames({ servers: [server.address], local: { get: async () => files } })
  t.strictSame(await local.resolve('store', 'acme'), [{ address: '10.0.0.8', family: 4 }])
  t.strictSame(await local.resolve('objects', 'acme'), [{ address: '10.0.0.5', family: 4 }])
  await t.rejects(new CustomerHostNames({ servers: [server.address] }).resolve('store', 'acme'), { code: 'ENOTFOUND' })
})

t.test('a domain of the search list whose servers fail leaves the next one, and is told where none knows the name',
  async (t) => {
    const server = await startNameServer(t, (name) => {
      if (name === 'store.inside.example') return ['10.0.0.8']
      return name.endsWith('.broken.example') ? 'fails' : []
    })
    const files = localNames('', 'search broken.example inside.example\n')
    const names = new CustomerHostNames({ servers: [server.address], local: { get: async () => files } })
    t.strictSame(await names.resolve('store', 'acme'), [{ address: '10.0.0.8', family: 4 }])
    await t.rejects(names.resolve('other', 'acme'), { code: 'EAI_AGAIN' })
  })

t.test('a name server that is none stops the start, with the setting', async (t) => {
  t.throws(() => callbackPolicy(loadConfig({ TABCAST_NAME_SERVERS: 'ns.example' })), {
    name: 'ConfigError',
    message: /TABCAST_NAME_SERVERS=ns\.example.*10\.1\.0\.2:5353/
  })
})
