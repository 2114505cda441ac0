import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/platform/config.ts'
import { runTabcast } from '../support/command.ts'
import { runPython, whyNoPython } from '../support/python.ts'
import { panelCsv } from '../support/service.ts'

/* The Jobs and the Spark program of deploy make the forecast that one process makes. */

const files = ['forecast.parquet', 'forecast.csv', 'report.json', 'findings.json']
const csv = panelCsv(30, 48)
const shardSeconds = '0.02'
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

interface Container {
  args: string[]
  image: string
  env: Array<{ name: string, value: string }>
  volumeMounts: Array<{ name: string, mountPath: string }>
}
interface Manifest {
  kind: string
  metadata: { name: string, labels: { step: string } }
  spec: Record<string, unknown> & {
    template?: { spec: { restartPolicy: string, containers: [Container], volumes: Array<{ name: string }> } }
  }
}

/** The files of a forecast by the three commands, which test/commands compares with that of one process. */
async function expected (t: Test, folder: string): Promise<Map<string, Buffer>> {
  const at = (...names: string[]) => join(folder, 'expected', ...names)
  const env = { TABCAST_SHARD_SECONDS: shardSeconds, TABCAST_SLOT_THREADS: '1' }
  const run = async (...args: string[]) => {
    const { status, stderr } = await runTabcast(args, env)
    t.equal(status, 0, stderr)
  }
  mkdirSync(at(), { recursive: true })
  await run('plan', join(folder, 'sales.csv'), '--out', at('plan'), '--horizon', '12', '--quantiles', '0.1,0.9')
  for (const number of ['0', '1']) {
    await run('shard', '--plan', at('plan', 'plan.bin'), '--shard', at('plan', `series-${number}.bin`), '--out',
      at('parts', number))
  }
  await run('join', '--plan', at('plan', 'plan.bin'), '--parts', at('parts'), '--out', at('result'))
  return new Map(files.map((name) => [name, readFileSync(at('result', name))]))
}

function sameFiles (t: Test, folder: string, wanted: Map<string, Buffer>): void {
  for (const [name, bytes] of wanted) t.ok(readFileSync(join(folder, 'result', name)).equals(bytes), name)
}

t.test('the Jobs of Kubernetes, index by index', async (t) => {
  const manifests = parseAllDocuments(readFileSync('deploy/kubernetes/shards-job.yaml', 'utf8')).map((document) =>
    document.toJS() as Manifest
  )
  t.strictSame(manifests.map(({ kind, metadata }) => [kind, metadata.labels.step]), [
    ['PersistentVolumeClaim', 'volume'],
    ['Job', 'plan'],
    ['Job', 'shards'],
    ['Job', 'join']
  ])
  const jobs = new Map(manifests.slice(1).map(({ spec, metadata }) => [metadata.labels.step, spec]))
  const containerOf = (step: string) => jobs.get(step)!.template!.spec.containers[0]
  for (const [step, { template }] of jobs) {
    const { image, env, volumeMounts } = containerOf(step)
    t.equal(image, `tabcast:${version}`)
    t.doesNotThrow(() => loadConfig(Object.fromEntries(env.map(({ name, value }) => [name, value]))))
    t.equal(template!.spec.restartPolicy, 'Never')
    t.strictSame(volumeMounts.map(({ name }) => name), template!.spec.volumes.map(({ name }) => name))
    t.equal(volumeMounts[0]?.mountPath, '/forecast')
  }
  t.match(jobs.get('shards'), { completionMode: 'Indexed', completions: 1, podReplacementPolicy: 'Failed' })

  const folder = t.testdir({ 'sales.csv': csv })
  const run = async (step: string, index = '') => {
    const { args, env } = containerOf(step)
    const own = args.map((text) =>
      text.replaceAll('/forecast/', `${folder}/`)
        .replaceAll('$(JOB_COMPLETION_INDEX)', index)
    )
    const ended = await runTabcast(own, {
      ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
      TABCAST_SHARD_SECONDS: shardSeconds
    })
    t.equal(ended.status, 0, ended.stderr)
    return ended.stdout
  }
  const page = readFileSync('docs/operate/own-scheduler.md', 'utf8')
  const [, pattern = ''] = /kubectl logs job\/forecast-plan \| sed -nE '([^']+)'/.exec(page) ?? []
  const planned = await run('plan')
  const shards = await new Promise<string>((resolve, reject) => {
    const sed = execFile('sed', ['-nE', pattern], (error, stdout) => {
      if (error === null) resolve(stdout.trim())
      else reject(error)
    })
    sed.stdin?.end(planned)
  })
  t.equal(shards, '2', 'the page reads the number of shards out of the log')
  // Pods begin in any order.
  for (const index of ['1', '0']) await run('shards', index)
  await run('join')
  sameFiles(t, folder, await expected(t, folder))
})

/** Stands for Spark, which is too large for tests: tasks in threads, and one of them twice. */
const standIn = `
import itertools, threading
attempts = itertools.count()
local = threading.local()

class TaskContext:
    @staticmethod
    def get():
        return local

class SparkConf:
    def setAppName(self, name):
        return self

class Partitions:
    def __init__(self, values, count):
        assert len(values) == count
        self.values = values
    def foreach(self, task):
        faults = []
        def run(value):
            attempt = next(attempts)
            local.taskAttemptId = lambda: attempt
            try:
                task(value)
            except Exception as fault:
                faults.append(fault)
        threads = [threading.Thread(target=run, args=[value]) for value in [*self.values, self.values[0]]]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        if faults: raise faults[0]

class SparkContext:
    def __init__(self, conf):
        pass
    def parallelize(self, values, count):
        return Partitions(values, count)
    def stop(self):
        pass
`

t.test('the Spark program', { skip: whyNoPython() }, async (t) => {
  const folder = t.testdir({
    'sales.csv': csv,
    modules: { 'pyspark.py': standIn },
    tabcast: `#!/bin/sh\nexec env -u NODE_OPTIONS '${process.execPath}' '${resolve('dist/cli.js')}' "$@"\n`
  })
  chmodSync(join(folder, 'tabcast'), 0o755)
  const run = async (name: string, ...options: string[]) =>
    await runPython(['deploy/spark/forecast_shards.py', '--tabcast', join(folder, 'tabcast'), '--folder',
      join(folder, name), join(folder, 'sales.csv'), '--', ...options], {
      PYTHONPATH: join(folder, 'modules'),
      TABCAST_SHARD_SECONDS: shardSeconds
    })
  mkdirSync(join(folder, 'run'))
  const { ok, output } = await run('run', '--horizon', '12', '--quantiles', '0.1,0.9')
  t.ok(ok, output)
  t.match(output, /^2 shards/)
  t.match(output, /forecast\.parquet: 360 rows of 30 series$/m)
  sameFiles(t, join(folder, 'run'), await expected(t, folder))

  writeFileSync(join(folder, 'sales.csv'), panelCsv(1, 48))
  mkdirSync(join(folder, 'small'))
  t.match(await run('small', '--horizon', '3'), { ok: true, output: /^1 shard, which is done/ })
  t.match(readFileSync(join(folder, 'small', 'result', 'forecast.csv'), 'utf8'), /^item_id,timestamp,mean/)

  mkdirSync(join(folder, 'wrong'))
  const wrong = await run('wrong', '--horizon', 'x')
  t.notOk(wrong.ok)
  t.match(wrong.output, /RuntimeError: .*--horizon x/, 'what tabcast says is in the error')
})
