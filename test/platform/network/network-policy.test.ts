import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { AddressInfo } from 'node:net'
import type { LookupAddress } from 'node:dns'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { callbackPolicy } from '../../../src/platform/network/callback-policy.ts'
import { connectorPolicy } from '../../../src/platform/network/connector-policy.ts'
import type { NetworkPolicy } from '../../../src/platform/network/network-policy.ts'
import { NetworkRefusal } from '../../../src/platform/network/network-refusal.ts'
import { OwnEndpoints } from '../../../src/platform/network/own-endpoints.ts'
import { providerPolicy } from '../../../src/platform/network/provider-policy.ts'
import type { Resolve } from '../../../src/platform/network/resolve.ts'

const callbacks = (settings: Record<string, string> = {}, resolve?: Resolve) =>
  callbackPolicy(loadConfig(settings), resolve)
const refused = { name: 'NetworkRefusal', reason: 'address' }
const connectors = (settings: Record<string, string> = {}, resolve?: Resolve) =>
  connectorPolicy(loadConfig(settings), resolve)

function reason (policy: NetworkPolicy, url: string): string {
  try {
    policy.checkUrl(url)
    return 'allowed'
  } catch (error) {
    if (!(error instanceof NetworkRefusal)) throw error
    return error.reason
  }
}

/** Answers one request after the other with these addresses, and counts how often it was asked. */
function answers (...rounds: string[][]): Resolve & { asked: number } {
  const resolve = async () =>
    (rounds[Math.min(resolve.asked++, rounds.length - 1)] ?? []).map((address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4
    }))
  resolve.asked = 0
  return resolve
}

/** A server that counts its visitors, on an address of this machine. */
async function listen (t: Test, host: string,
  port = 0): Promise<{ server: Server, port: number, visits: IncomingMessage[] }> {
  const visits: IncomingMessage[] = []
  const server = createServer((request, response) => {
    visits.push(request)
    response.end(`from ${host}`)
  })
  await once(server.listen(port, host), 'listening')
  t.teardown(() => server.close())
  return { server, port: (server.address() as AddressInfo).port, visits }
}

async function read (policy: NetworkPolicy, url: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    get(url, { agent: policy.agent('http:') }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      }).on('end', () => resolve(text))
    }).on('error', reject)
  })
}

t.test('49: addresses that mean this machine or its surroundings are refused when they are given, however they are ' +
  'written', async (t) => {
  const open = connectors()
  const cases: Array<[url: string, byCallbacks: string, byConnectors: string]> = [
    ['http://169.254.169.254', 'scheme', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address', 'address'],
    ['http://[::ffff:7f00:1]', 'scheme', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address', 'address'],
    ['https://[64:ff9b::7f00:1]/', 'address', 'address'],
    ['https://[2002:7f00:1::]/', 'address', 'address'],
    ['https://[::1]/', 'address', 'address'],
    ['https://[::]/', 'address', 'address'],
    ['https://[fe80::1]/', 'address', 'address'],
    ['https://[fd00:ec2::254]/', 'address', 'address'],
    ['https://127.0.0.1/', 'address', 'address'],
    ['https://10.0.0.1/', 'address', 'address'],
    ['https://100.64.0.1/', 'address', 'address'],
    ['https://255.255.255.255/', 'address', 'address'],
    ['http://0', 'host', 'host'],
    ['https://0/', 'host', 'host'],
    ['http://017700000001', 'host', 'host'],
    ['https://2130706433/', 'host', 'host'],
    ['https://127.1/', 'host', 'host'],
    ['https://0x7f.1/', 'host', 'host'],
    ['https://0177.0.0.1/', 'host', 'host'],
    ['https://134744072/', 'host', 'host'],
    ['https://127.0.0.1./', 'host', 'host'],
    ['https://①②⑦.0.0.1/', 'host', 'host'],
    ['https://127。0。0。1/', 'host', 'host'],
    ['https://%31%32%37.0.0.1/', 'host', 'host'],
    ['https://localhost./', 'host', 'host'],
    ['https://example.com./', 'host', 'host'],
    ['https://localhost/', 'address', 'address'],
    ['https://LOCALHOST/', 'address', 'address'],
    ['https://a.localhost/', 'address', 'address'],
    ['https://ⓛocalhost/', 'address', 'address'],
    ['https://localhost.localdomain/', 'address', 'address'],
    ['https://user@example.com/', 'userinfo', 'userinfo'],
    ['https://user:password@example.com/', 'userinfo', 'userinfo'],
    ['https://@example.com/', 'userinfo', 'userinfo'],
    ['https://example.com/#part', 'fragment', 'fragment'],
    ['https://example.com/#', 'fragment', 'fragment'],
    ['https://a..b/', 'host', 'host'],
    ['https://exa!mple.com/', 'host', 'host'],
    [`https://${'a'.repeat(64)}.com/`, 'host', 'host'],
    ['https://example.com:0/', 'port', 'port'],
    ['ftp://example.com/', 'scheme', 'scheme'],
    ['file:///etc/passwd', 'malformed', 'malformed'],
    ['gopher://example.com/', 'scheme', 'scheme'],
    ['javascript:alert(1)', 'malformed', 'malformed'],
    ['//example.com/', 'malformed', 'malformed'],
    ['https:example.com', 'malformed', 'malformed'],
    ['https:///example.com', 'malformed', 'malformed'],
    ['https:\\\\example.com', 'malformed', 'malformed'],
    ['https://example.com\\@127.0.0.1/', 'malformed', 'malformed'],
    ['https://exam\nple.com/', 'malformed', 'malformed'],
    ['https://example.com/\t', 'malformed', 'malformed'],
    [' https://example.com/', 'malformed', 'malformed'],
    ['https://example.com:99999/', 'malformed', 'malformed'],
    ['https://1.2.3.4.5/', 'malformed', 'malformed'],
    ['', 'malformed', 'malformed'],
    [`https://example.com/${'x'.repeat(2048)}`, 'too_long', 'too_long']
  ]
  for (const [url, byCallbacks, byConnectors] of cases) {
    t.equal(reason(callbacks(), url), byCallbacks, `callback ${url.slice(0, 60)}`)
    t.equal(reason(open, url), byConnectors, `connector ${url.slice(0, 60)}`)
  }
  for (const url of ['https://example.com/hook?a=1', 'https://example.com:8443/', 'https://bücher.example/',
    'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://under_score.example.com/', 'https://intranet/']) {
    t.equal(reason(callbacks(), url), 'allowed', url)
  }
  for (const url of ['http://example.com/', 'https://example.com:9000/', 'http://8.8.8.8:1234']) {
    t.not(reason(callbacks(), url), 'allowed', url)
    t.equal(reason(open, url), 'allowed', url)
  }
})

t.test('a refusal says what kind of rule it was, and nothing about addresses', async (t) => {
  try {
    connectors().checkUrl('http://10.1.2.3:9000/')
    t.fail('it was allowed')
  } catch (error) {
    t.ok(error instanceof NetworkRefusal)
    t.equal((error as Error).message, 'the host is not allowed')
  }
})

t.test('the operator opens networks and hosts, one of them at a time', async (t) => {
  const networks = callbacks({ TABCAST_CALLBACK_ALLOW_CIDRS: '10.1.0.0/16, fd12::/16' })
  t.equal(reason(networks, 'https://10.1.2.3/'), 'allowed')
  t.equal(reason(networks, 'https://[::ffff:10.1.2.3]/'), 'allowed')
  t.equal(reason(networks, 'https://[fd12::1]:8443/'), 'allowed')
  t.equal(reason(networks, 'https://10.2.0.1/'), 'address')
  t.equal(reason(networks, 'http://10.1.2.3/'), 'scheme', 'a network opens no scheme')
  t.equal(reason(networks, 'https://10.1.2.3:9000/'), 'port', 'and no port')
  const hosts = callbacks({ TABCAST_CALLBACK_ALLOW_HOSTS: 'Hooks.Internal, 127.0.0.1:9911,[::1]:9912' })
  t.equal(reason(hosts, 'http://hooks.internal:1234/x'), 'allowed')
  t.equal(reason(hosts, 'http://127.0.0.1:9911/'), 'allowed')
  t.equal(reason(hosts, 'http://[::1]:9912/'), 'allowed')
  t.equal(reason(hosts, 'https://127.0.0.1/'), 'address', 'another port stays closed')
  t.equal(reason(hosts, 'http://other.internal:1234/'), 'scheme')
  t.equal(reason(hosts, 'ftp://hooks.internal/'), 'scheme')
  t.equal(reason(connectors({ TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' }), 'http://localhost:9000/'), 'allowed')
  t.throws(() => callbacks({ TABCAST_CALLBACK_ALLOW_CIDRS: '10.0.0.0/40' }), {
    name: 'ConfigError',
    message: /TABCAST_CALLBACK_ALLOW_CIDRS=10\.0\.0\.0\/40/
  })
  t.throws(() => callbacks({ TABCAST_CALLBACK_ALLOW_HOSTS: 'http://x' }), { name: 'ConfigError' })
})

t.test('53: our own parts and the metadata services stay closed, even when a network of the list covers them', async (t) => {
  const settings = {
    TABCAST_CONNECTOR_ALLOW_CIDRS: '0.0.0.0/0,::/0',
    TABCAST_CALLBACK_ALLOW_HOSTS: '127.0.0.1,169.254.169.254',
    TABCAST_PORT: '8080',
    TABCAST_S3_ENDPOINT: 'http://objects.internal:9000',
    TABCAST_NATS_URL: 'nats://127.0.0.1:4222,10.0.0.5:4333'
  }
  const policy = connectors(settings)
  const closed = [
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://127.0.0.2:8080',
    'http://[::1]:8080',
    'http://[::ffff:7f00:1]:8080',
    'http://objects.internal:9000',
    'http://127.0.0.1:4222',
    'http://10.0.0.5:4333',
    'http://169.254.169.254',
    'http://[fd00:ec2::254]',
    'http://100.100.100.200'
  ]
  for (const url of closed) t.equal(reason(policy, url), 'address', url)
  for (const { address } of Object.values(networkInterfaces()).flat().filter((one) => one?.family === 'IPv4').map((
    one
  ) => ({ address: one?.address ?? '' }))) {
    t.equal(reason(policy, `http://${address}:4222`), 'address', 'another address of this machine')
  }
  t.equal(reason(policy, 'http://127.0.0.1:9001'), 'allowed', 'other ports of this machine are what the list opened')
  t.equal(reason(callbacks(settings), 'http://127.0.0.1:4222'), 'address')
  t.equal(reason(callbacks(settings), 'http://169.254.169.254/'), 'address')

  const resolve: Resolve = async (
    host
  ) => [{ address: host === 'objects.internal' ? '10.7.7.7' : host === 'alias' ? '10.7.7.7' : '127.0.0.1', family: 4 }]
  const resolving = connectors(settings, resolve)
  await t.rejects(resolving.resolve('alias', 9000), refused, 'another name of the object store')
  await t.rejects(resolving.resolve('10.7.7.7', 9000), refused, 'its address')
  await t.rejects(resolving.resolve('nats-alias', 4222), refused)
  t.strictSame(await resolving.resolve('alias', 9001), [{ address: '10.7.7.7', family: 4 }])
})

t.test('50: a name is resolved once a connection, and the connection goes to an address that was checked', async (t) => {
  const allowed = await listen(t, '127.0.0.2')
  const victim = await listen(t, '127.0.0.1', allowed.port)
  const url = `http://rebinding.example:${allowed.port}/`
  const settings = { TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.2/32' }

  const rebinding = answers(['127.0.0.2'], ['127.0.0.1'])
  const policy = connectors(settings, rebinding)
  t.equal(await read(policy, url), 'from 127.0.0.2')
  t.equal(rebinding.asked, 1, 'the checked answer is the one that is used')
  t.equal(allowed.visits[0]?.headers.host, `rebinding.example:${allowed.port}`, 'the Host header stays the name')
  await t.rejects(read(policy, url), refused, 'the next connection is checked anew')
  t.equal(await read(connectors(settings, answers(['127.0.0.1', '127.0.0.2', '::1'])), url), 'from 127.0.0.2',
    'of a mixed answer only what is allowed is tried')
  await t.rejects(read(connectors(settings, answers([])), url), refused, 'no address at all')
  await t.rejects(read(connectors(settings), `http://127.0.0.1:${allowed.port}/`), refused,
    'a literal address is checked too')
  t.equal(await read(connectors(settings), `http://127.0.0.2:${allowed.port}/`), 'from 127.0.0.2')
  await t.rejects(read(connectors(settings, async () => {
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }), url), { code: 'ENOTFOUND' })
  t.equal(victim.visits.length, 0, 'nobody came to the address that is not allowed')
})

t.test('proxies of the environment are not used, and a kept connection is to the same host and port', async (t) => {
  const server = await listen(t, '127.0.0.2')
  const proxy = await listen(t, '127.0.0.1')
  const before = { ...process.env }
  t.teardown(() => {
    process.env = before
  })
  Object.assign(process.env, {
    http_proxy: `http://127.0.0.1:${proxy.port}`,
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
    NODE_USE_ENV_PROXY: '1'
  })
  t.equal(await read(connectors({ TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.2' }), `http://127.0.0.2:${server.port}/`),
    'from 127.0.0.2')
  t.equal(proxy.visits.length, 0)
})

t.test('our own parts are recognised however their address is written', async (t) => {
  const own = new OwnEndpoints({
    HOST: '127.0.0.1',
    PORT: 8080,
    METRICS_HOST: '10.0.0.8',
    METRICS_PORT: 9464,
    S3_ENDPOINT: 'http://10.0.0.5:9000',
    NATS_URL: 'nats://10.0.0.6:4222'
  })
  const resolve = async () => []
  for (const [address, port] of [['10.0.0.5', 9000], ['::ffff:10.0.0.5', 9000], ['::ffff:a00:5', 9000], [
    '64:ff9b::a00:6',
    4222
  ], ['::ffff:127.0.0.1', 8080], ['::ffff:10.0.0.8', 9464]] as const) {
    t.ok(own.isNamed(address, port), address)
    t.ok((await own.at(port, resolve))(address), address)
  }
  t.notOk(own.isNamed('::ffff:10.0.0.7', 9000))
  t.notOk((await own.at(9001, resolve))('10.0.0.5'))
})

t.test('our own names are resolved once a connection, however many addresses the given name has', async (t) => {
  const addresses = Array.from({ length: 200 }, (_each, index) => `8.8.4.${index}`)
  const resolve = answers([...addresses, '10.0.0.5'], ['10.0.0.5', '8.8.4.7'])
  const policy = connectors({ TABCAST_S3_ENDPOINT: 'https://objects.inside.example' }, resolve)
  const found = (await policy.resolve('many.example', 443)).map(({ address }) => address)
  t.strictSame(found, addresses.filter((address) => address !== '8.8.4.7'))
  t.equal(resolve.asked, 2, 'the name and our own')
})

t.test('the metrics listener and the credentials of ECS and EKS stay closed in all three policies, whatever the ' +
  'operator opened', async (t) => {
  const hosts = ['169.254.169.254', '169.254.170.2', '169.254.170.23', '[fd00:ec2::254]', '[fd00:ec2::23]',
    '[::ffff:a9fe:aa02]']
  const closed = [...hosts.map((host) => `http://${host}/`), 'http://127.0.0.1:9464/metrics', 'http://localhost:9464/',
    'http://[::1]:9464/', 'http://[::ffff:7f00:1]:9464/']
  const everything = '0.0.0.0/0,::/0'
  const settings = {
    TABCAST_METRICS_PORT: '9464',
    TABCAST_METRICS_HOST: '0.0.0.0',
    TABCAST_CONNECTOR_ALLOW_CIDRS: everything,
    TABCAST_CALLBACK_ALLOW_CIDRS: everything,
    TABCAST_CALLBACK_ALLOW_HOSTS: [...hosts, '127.0.0.1', 'localhost', '[::1]', '[::ffff:7f00:1]', 'inside.example']
      .join(',')
  }
  const addresses = closed.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''))
  const resolve: Resolve = async () =>
    addresses.map((address) => ({
      address: address === 'localhost' ? '127.0.0.1' : address,
      family: address.includes(':') ? 6 : 4
    }))
  const policies = {
    callbacks: callbacks(settings, resolve),
    connectors: connectors(settings, resolve),
    providers: providerPolicy(loadConfig(settings), [...closed, 'http://inside.example:9464'], resolve)
  }
  for (const [name, policy] of Object.entries(policies)) {
    for (const url of closed) t.equal(reason(policy, url), 'address', `${name} ${url}`)
    await t.rejects(policy.resolve('inside.example', 9464), refused, `${name}: a name that leads there`)
  }
  t.equal(reason(policies.connectors, 'http://127.0.0.1:9465/'), 'allowed',
    'other ports of this machine are what the list opened')
})
