import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import Value from 'typebox/value'
import { parse } from 'yaml'
import { linkedDocuments } from '../../scripts/linked-documents.mjs'
import { loadConfig, settings } from '../../src/platform/config.ts'
import { storeConfig } from '../../src/platform/store/store-config.ts'

const folder = 'deploy'
const chart = join(folder, 'helm', 'tabcast')
const read = (...parts: string[]) => readFileSync(join(folder, ...parts), 'utf8')
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((
  entry
) => join(entry.parentPath, entry.name))
const { version, name } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string, name: string }

interface Service {
  command: string[]
  environment?: Record<string, string>
  image: string
  ports?: string[]
  stop_grace_period?: string
  volumes?: string[]
  healthcheck?: { test?: string[], disable?: boolean }
  depends_on?: object
}
const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service>,
  volumes: Record<string, null> }
const service = (role: string) => compose.services[role] as Service
const furtherHost = parse(read('compose.worker.yaml')) as { services: { worker: Service } }

/** NAME=value lines; those that are commented out are examples of values, and count as well. */
function variables (text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value])
  )
}

function seconds (text = ''): number {
  return Number(/^(\d+)s$/.exec(text)?.[1])
}

interface Values {
  terminationGracePeriodSeconds: number
  settings: Record<string, string>
  s3: Record<string, string>
  api: { settings: Record<string, string>, service: { port: number } }
  worker: { settings: Record<string, string>, autoscaling: Record<string, unknown>,
    resources: { limits: { memory: string } } }
  nats: { image: { repository: string, tag: string } }
}
const valuesText = readFileSync(join(chart, 'values.yaml'), 'utf8')
const values = parse(valuesText) as Values
const templates = files.filter((path) => path.startsWith(join(chart, 'templates'))).map((path) => ({
  path,
  text: readFileSync(path, 'utf8')
}))

t.test('every setting that is named in the files of deploy is one', async (t) => {
  const known = new Set<string>(settings.map(([name]) => name))
  let found = 0
  for (const path of files) {
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/TABCAST_([A-Z0-9_]*[A-Z0-9])/g)) {
      found++
      if (!known.has(name) && name !== 'CONFIG') t.fail(`${path}: TABCAST_${name}`)
    }
  }
  for (const given of [values.settings, values.api.settings, values.worker.settings]) {
    for (const name of Object.keys(given)) t.ok(known.has(name), `values.yaml: ${name}`)
  }
  t.ok(found > 50, `${found} names`)
})

t.test('api and worker of compose.yaml are configured as they have to be', async (t) => {
  const secrets = { TABCAST_NATS_TOKEN: 'tok_a', TABCAST_S3_SECRET_ACCESS_KEY: 'b' }
  const example = { ...variables(read('.env.example')), ...secrets }
  const [api, worker] = ['api', 'worker'].map((role) => loadConfig({ ...example, ...service(role).environment })) as [
    ReturnType<typeof loadConfig>,
    ReturnType<typeof loadConfig>
  ]
  for (const config of [api, worker]) {
    t.equal(storeConfig(config).driver, 's3')
    t.equal(config.NATS_URL, 'nats://nats:4222')
  }
  t.equal(api.KEYRING_FILE, worker.KEYRING_FILE, 'workers open what the api has sealed')
  t.strictSame([api.HOST, api.PORT], ['0.0.0.0', 8080])
  t.match(service('api').ports?.[0], /:8080:8080$/)
  for (const role of ['api', 'worker']) {
    const graceSeconds = seconds(service(role).stop_grace_period)
    t.ok(graceSeconds * 1000 > api.DRAIN_MS + 2_000, `${role} has ${graceSeconds} s to stop`)
    t.ok(service(role).volumes?.some((volume) => volume.endsWith(api.DATA_DIR)),
      `${role} has a volume at ${api.DATA_DIR}`)
  }
  const named = Object.values(compose.services).flatMap(({ volumes }) => volumes ?? []).map((volume) =>
    volume.split(':')[0] ?? ''
  ).filter((source) => /^[a-z]/.test(source))
  t.strictSame([...new Set(named)].sort(), Object.keys(compose.volumes).sort())
  t.match(service('s3').command.join(' '),
    `--port ${new URL(api.S3_ENDPOINT).host.replace('s3', '')} --region ${api.S3_REGION}`)
  t.equal(service('bucket').environment?.['TABCAST_S3_BUCKET'], api.S3_BUCKET)
})

t.test('a worker of compose.worker.yaml is that of compose.yaml, with other addresses', async (t) => {
  const { environment: here = {}, volumes: ownVolumes, depends_on: _, ...own } = service('worker')
  const { environment: there = {}, volumes, ...same } = furtherHost.services.worker
  t.strictSame(same, own)
  const addresses = Object.keys(there).filter((name) => there[name] !== here[name])
  t.strictSame(addresses, ['TABCAST_NATS_URL', 'TABCAST_S3_ENDPOINT'])
  for (const name of addresses) t.equal(there[name], `\${${name}:?is empty in .env}`)
  t.strictSame(Object.keys(there).sort(), Object.keys(here).sort())
  t.strictSame(volumes?.map((volume) => volume.replace('./', '')), ownVolumes)
  t.equal(service('nats').ports?.[0]?.replace('QUEUE_', 'BIND_').replaceAll('4222', '8080'), service('api').ports?.[0])
  t.equal(variables(read('.env.example'))['QUEUE_ADDRESS'], '127.0.0.1', 'nobody else reaches it unless it is set')
})

t.test('a server of a cluster is configured like a single one', async (t) => {
  const lines = (name: string) => read(name).split('\n').filter((line) => !line.startsWith('#'))
  const single = lines('nats.conf')
  const others = lines('nats-cluster.conf').filter((line) => !single.includes(line))
  t.strictSame(single.filter((line) => !lines('nats-cluster.conf').includes(line)), ['server_name: "tabcast"'])
  t.strictSame(others.map((line) => line.trim().split(':')[0]), ['server_name', 'cluster {', 'name', 'listen',
    'authorization { user', 'routes'])
})

t.test('the units have examples of settings that are taken, and time to drain', async (t) => {
  const example = variables(read('systemd', 'tabcast.env.example'))
  for (const unit of ['tabcast.service', 'tabcast-api.service', 'tabcast-worker@.service']) {
    const text = read('systemd', unit)
    const own = Object.fromEntries(
      [...text.matchAll(/^Environment=([A-Z_]+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value])
    )
    t.notOk(Object.keys(own).some((key) => key in example),
      `${unit}: the file of settings does not replace what the unit says`)
    const config = loadConfig({ ...example, ...own })
    const state = /^StateDirectory=(.+)$/m.exec(text)?.[1]
    t.equal(config.DATA_DIR, `/var/lib/${state}`)
    t.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1000 > config.DRAIN_MS + 12_000,
      'after the drain, a queue may take ten seconds')
    t.match(text, '\nRestartPreventExitStatus=64 78\n')
    t.match(text, '\nKillMode=mixed\n')
  }
})

t.test('the chart: values that templates name are in values.yaml, and the other way round', async (t) => {
  const leaves = (value: unknown, path: string[]): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
      : [path.join('.')]
  const given = leaves(values, [])
  const named = new Set(
    templates.flatMap(({ text }) =>
      [...text.matchAll(/\.Values\.([A-Za-z0-9.]*[A-Za-z0-9])/g)].map(([, path = '']) => path)
    )
  )
  for (const path of named) t.ok(given.some((leaf) => leaf === path || leaf.startsWith(`${path}.`)), `.Values.${path}`)
  for (const leaf of given) {
    t.ok([...named].some((path) => leaf === path || leaf.startsWith(`${path}.`)), `${leaf} is used`)
  }
  const defined = new Set(
    templates.flatMap(({ text }) => [...text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name))
  )
  for (const { path, text } of templates) {
    for (const [, name] of text.matchAll(/include "([^"]+)"/g)) t.ok(defined.has(name), `${path}: ${name}`)
  }
})

t.test('the chart: the schema takes values.yaml and refuses mistakes', async (t) => {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Record<string, object>
  const check = (change: Record<string, unknown>) => Value.Check(schema, { ...values, ...change })
  t.ok(check({}))
  t.notOk(check({ worker: { ...values.worker, replica: 3 } }), 'a name that is none')
  t.notOk(check({ settings: { SLOTS: 2 } }), 'a number would lose digits')
  t.notOk(check({ settings: { TABCAST_SLOTS: '2' } }), 'the prefix')
  t.notOk(check({ terminationGracePeriodSeconds: 30 }), 'less than the drain')
  const scaled = (change: object) => check({ worker: { ...values.worker, autoscaling: change } })
  t.ok(scaled({ ...values.worker.autoscaling, enabled: true, maxReplicas: 20 }))
  t.notOk(scaled({ jobsPerWorker: 0 }), 'a division by zero')
  t.notOk(scaled({ jobsPerWorker: '4' }))
  t.notOk(scaled({ maxWorkers: 4 }))
  t.notOk(check({ s3: { ...values.s3, endpoint: 'https://s3.example.com/bucket' } }))
})

t.test('the chart: settings are taken, fit into the limits of their container, and have time to drain', async (t) => {
  const worker = loadConfig(
    Object.fromEntries(Object.entries(values.worker.settings).map(([key, value]) => [`TABCAST_${key}`, value]))
  )
  const limit = Number(/^(\d+)Gi$/.exec(values.worker.resources.limits.memory)?.[1]) * 2 ** 30
  t.ok(worker.SLOTS * worker.SLOT_MEMORY_BYTES < limit)
  t.ok(values.terminationGracePeriodSeconds * 1000 > worker.DRAIN_MS + 2_000)
  const pod = templates.find(({ path }) => path.endsWith('_pod.tpl'))?.text ?? ''
  const api = templates.find(({ path }) => path.endsWith('api.yaml'))?.text ?? ''
  t.match(api, 'set $settings "METRICS_HOST" "0.0.0.0"', 'nobody reads metrics from the loopback interface of a pod')
  t.match(pod, '\nenableServiceLinks: false\n',
    'else TABCAST_PORT is the address of the service, and the start is refused')
})

t.test('the chart: workers are scaled by a metric that there is, and only if it is asked for', async (t) => {
  t.equal(values.worker.autoscaling['enabled'], false)
  const text = templates.find(({ path }) => path.endsWith('autoscaler.yaml'))?.text ?? ''
  const metrics = readFileSync('src/operations/metrics/README.md', 'utf8')
  const page = readFileSync('docs/operate/scale-out.md', 'utf8')
  const [, name = ''] = /name: (tabcast_\w+)$/m.exec(text) ?? []
  t.match(metrics, `| \`${name}\` | gauge |`)
  t.match(page, `seriesQuery: '{__name__="${name}",namespace!=""}'`, 'the rule of the adapter gives this metric')
  t.match(text, /fail "worker\.autoscaling needs metrics\.enabled"/)
  const deployment = templates.find(({ path }) => path.endsWith('worker.yaml'))?.text ?? ''
  t.match(deployment, '{{- if not .Values.worker.autoscaling.enabled }}\n  replicas: ', 'an upgrade does not undo it')
})

t.test('versions, ports and files that are there twice agree', async (t) => {
  const { version: chartVersion, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Record<string,
    string>
  t.strictSame([chartVersion, appVersion], [version, version])
  t.equal(readFileSync(join(chart, 'files', 'nats.conf'), 'utf8'), read('nats.conf'))
  t.match(read('.env.example'), `\nIMAGE=${name}:${version}\n`)
  for (const { image } of [service('api'), furtherHost.services.worker]) t.match(image, `:-${name}:${version}}`)
  t.match(read('Dockerfile.package'), `\nARG PACKAGE=${name}-${version}-linux-x64-gnu\n`)
  const nats = /^const pinned = '(.+)'$/m.exec(readFileSync('scripts/setup-nats-server.mjs', 'utf8'))?.[1]
  t.equal(service('nats').image, `nats:${nats}-alpine`)
  t.equal(`${values.nats.image.repository}:${values.nats.image.tag}`, service('nats').image)
  t.match(readFileSync('Dockerfile', 'utf8'), `ARG NATS_IMAGE=nats:${nats}-`)
  const gateway = /versitygw@(v[\d.]+)/.exec(readFileSync('scripts/setup-s3-servers.mjs', 'utf8'))?.[1]
  t.match(service('s3').image, `versitygw:${gateway}`, 'the release that the tests run against')
  t.equal(values.api.service.port, loadConfig({}).PORT)
  const instructions = ['Dockerfile', 'deploy/Dockerfile.package'].map((path) =>
    readFileSync(path, 'utf8').split(/\n(?=[A-Z])/)
  )
  for (const start of ['HEALTHCHECK', 'USER', 'VOLUME', 'EXPOSE', 'CMD']) {
    const [built, packed] = instructions.map((lines) =>
      lines.filter((line) => line.startsWith(start)).at(-1)?.split('\n#')[0]?.trim()
    )
    t.ok(built, start)
    t.equal(packed, built, `both images have the same ${start}`)
  }
})

t.test('no link of the documents that a package has leads nowhere', async (t) => {
  const linked = linkedDocuments('README.md')
  for (const path of ['deploy/README.md', 'clients/python/README.md', 'clients/typescript/README.md',
    'docs/operate/deploy.md', 'src/sources/covariates/README.md']) t.ok(linked.includes(path), path)
  t.ok(linkedDocuments('deploy/README.md').length > 0)
  const folder = t.testdir({ 'a.md': 'see [b](b.md) and `[no](link.md)`' })
  t.throws(() => linkedDocuments(relative('.', join(folder, 'a.md'))), /a\.md: the link to b\.md leads nowhere/)
})
