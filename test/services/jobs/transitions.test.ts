import t from 'tap'
import type { DatasetProfile } from '../../../src/domain/dataset-profile.ts'
import type { Analysis, ExplainabilityOutcome, JobExplanation } from '../../../src/domain/explainability-spec.ts'
import type { ForecastSpec, ReconciliationSpec } from '../../../src/domain/forecast-spec.ts'
import type { JobResult } from '../../../src/domain/job-result.ts'
import type { PreparationReport } from '../../../src/domain/preparation-spec.ts'
import type { ReconciliationSummary } from '../../../src/domain/reconciliation-summary.ts'
import type { ClaimRequest } from '../../../src/platform/queue/job-messages.ts'
import type { WorkerMessage } from '../../../src/platform/queue/worker-message.ts'
import { FairBacklog } from '../../../src/services/jobs/fair-backlog.ts'
import type { JobRecord } from '../../../src/services/jobs/job-record.ts'
import { jobSize } from '../../../src/services/jobs/job-size.ts'
import { applyResult, giveBack, grantRun, loseResult, outgrow,
  preempt } from '../../../src/services/jobs/transitions.ts'
import { WorkerPresence } from '../../../src/services/jobs/worker-presence.ts'
import { testSpec } from '../../support/job-message.ts'
import { uniform } from '../../support/random.ts'

const spec: ForecastSpec = { ...testSpec, predictionLength: 12, preset: 'balanced' }

function record (changes: Partial<JobRecord> = {}): JobRecord {
  return {
    v: 1,
    jobId: 'job_1',
    tenant: 'acme',
    keyId: 'abcdefgh',
    requestId: 'r1',
    jobType: 'forecast',
    status: 'pending',
    size: 'small',
    createdAtMs: 1_000,
    startedAtMs: null,
    completedAtMs: null,
    expiresAtMs: null,
    name: null,
    metadata: null,
    spec,
    configHash: 'c',
    input: { key: 'acme/job_1/input', format: 'csv', bytes: 10, sha256: 's' },
    profile: null,
    dispatch: 2,
    streamSequence: 7,
    attempt: 0,
    run: null,
    slotDeaths: 0,
    lostWorkers: 0,
    winner: null,
    files: [],
    numItems: null,
    datasetHash: null,
    modelVersion: '0.1.0+balanced',
    timings: null,
    warnings: [],
    error: null,
    errorCode: null,
    ...changes
  }
}

function request (changes: Partial<ClaimRequest> = {}): ClaimRequest {
  return { v: 1, jobId: 'job_1', tenant: 'acme', dispatch: 2, workerId: 'w1', run: 'A', ...changes }
}

function result (changes: Partial<JobResult> = {}): JobResult {
  return {
    v: 1,
    jobId: 'job_1',
    run: 'A',
    code: null,
    error: null,
    files: [],
    numItems: 3,
    datasetHash: 'd',
    timings: { fit: 0.25 },
    warnings: [],
    ...changes
  }
}

const limits = { slotDeaths: 3, lostWorkers: 10 }

t.test('a claim starts the job and counts the attempt', async (t) => {
  const { reply, record: started } = grantRun(record(), request(), limits, 1_500, false)
  t.match(reply, { go: true, attempt: 1 })
  t.match(started, { status: 'running', startedAtMs: 1_500, run: 'A', attempt: 1, lostWorkers: 0, slotDeaths: 0 })
  const again = grantRun(started!, request(), limits, 1_600, true)
  t.match(again.reply, { go: true, attempt: 1 }, 'the same run asking twice is one attempt')
})

t.test('a claim is refused when the job is over, dispatched anew, or being computed', async (t) => {
  t.match(grantRun(record({ status: 'completed' }), request(), limits, 0, false), {
    reply: { go: false, reason: 'terminal' },
    record: null
  })
  t.match(grantRun(record(), request({ dispatch: 1 }), limits, 0, false), {
    reply: { go: false, reason: 'superseded' },
    record: null
  })
  t.match(grantRun(record({ status: 'running', run: 'B', attempt: 1 }), request(), limits, 0, true), {
    reply: { go: false, reason: 'superseded' },
    record: null
  })
})

t.test('a lost worker and a dead slot are counted apart, and each has its limit', async (t) => {
  const running = record({ status: 'running', startedAtMs: 1_100, run: 'B', attempt: 1 })
  t.match(grantRun(running, request(), limits, 0, false).record, {
    lostWorkers: 1,
    slotDeaths: 0,
    attempt: 2,
    startedAtMs: 1_100
  })
  t.match(grantRun(running, request({ died: { run: 'B', cause: 'memory' } }), limits, 0, true).record, {
    lostWorkers: 0,
    slotDeaths: 1,
    attempt: 2
  })
  const third = grantRun({ ...running, slotDeaths: 2, attempt: 3 }, request({ died: { run: 'B', cause: 'memory' } }),
    limits, 9_000, true)
  t.match(third, {
    reply: { go: false, reason: 'attempts' },
    record: { status: 'failed', errorCode: 'pipeline_failed', completedAtMs: 9_000, error: /3 attempts.*memory/ }
  })
  const tenth = grantRun({ ...running, lostWorkers: 9, attempt: 10 }, request(), limits, 9_000, false)
  t.match(tenth, {
    reply: { go: false, reason: 'attempts' },
    record: { status: 'failed', errorCode: 'pipeline_failed' }
  })
})

t.test('a job that two workers were lost with runs alone, and only a worker of its own that stops answering is proof', async (t) => {
  const lost = (lostWorkers: number) =>
    record({ status: 'running', run: 'B', attempt: lostWorkers + 1, startedAtMs: 1_100, lostWorkers })
  t.notOk('alone' in grantRun(lost(0), request(), limits, 0, false).reply, 'one worker may be lost by anybody')
  t.match(grantRun(lost(1), request(), limits, 0, false), {
    reply: { go: true, alone: true },
    record: { lostWorkers: 2 }
  })
  const silent = request({ run: 'C', died: { run: 'B', cause: 'unresponsive' } })
  t.match(grantRun(lost(2), silent, limits, 9_000, false), {
    reply: { go: false, reason: 'attempts' },
    record: {
      status: 'failed',
      errorCode: 'pipeline_failed',
      error: /3 attempts: .* stopped answering, also in a worker of its own/
    }
  })
  t.match(grantRun(lost(2), { ...silent, died: { run: 'B', cause: 'crash' } }, limits, 9_000, false), {
    reply: { go: true, alone: true },
    record: { slotDeaths: 1 }
  }, 'it may have been killed')
  t.match(grantRun(lost(2), { ...silent, died: { run: 'A', cause: 'unresponsive' } }, limits, 9_000, false), {
    reply: { go: true, alone: true },
    record: { slotDeaths: 0 }
  }, 'of another run')
  t.match(grantRun(lost(1), silent, limits, 9_000, false).record, { status: 'running', slotDeaths: 1, lostWorkers: 1 },
    'a slot of a shared worker')
})

t.test('only a run that has the job makes way', async (t) => {
  const running = record({ status: 'running', run: 'B', attempt: 1, startedAtMs: 1_100 })
  t.match(preempt(running, 0), {
    givenBack: 'B',
    stopped: 'B',
    preemptions: 1,
    dispatch: running.dispatch + 1,
    streamSequence: null
  })
  t.equal(preempt(record(), 0), undefined, 'none has had it yet')
  t.equal(preempt({ ...running, givenBack: 'B' }, 0), undefined, 'it was given back')
  t.equal(preempt({ ...running, status: 'completed' }, 0), undefined)
})

t.test("a run that is given back is nobody's loss; one that no worker can run ends one day", async (t) => {
  const running = record({ status: 'running', run: 'B', attempt: 1, startedAtMs: 1_100 })
  const stopped = giveBack(running, { ...request({ run: 'B' }), givenBack: 'stopping' }, 0)
  t.match(grantRun(stopped!, request(), limits, 0, true), {
    reply: { go: true, attempt: 2 },
    record: { run: 'A', lostWorkers: 0 }
  })
  t.match(grantRun({ ...stopped!, run: 'C' }, request(), limits, 0, false).record, { lostWorkers: 1 },
    'the run behind it was lost')
  t.equal(giveBack(stopped!, { ...request({ run: 'B' }), givenBack: 'trouble' }, 0), undefined, 'told twice')
  t.equal(giveBack(running, { ...request({ run: 'A' }), givenBack: 'stopping' }, 0), undefined,
    'another run has the job')
  t.match(giveBack({ ...running, troubles: 298 }, { ...request({ run: 'B' }), givenBack: 'trouble' }, 0), {
    status: 'running',
    troubles: 299,
    lostWorkers: 0
  })
  t.match(giveBack({ ...running, troubles: 299 }, { ...request({ run: 'B' }), givenBack: 'trouble' }, 9_000), {
    status: 'failed',
    errorCode: 'pipeline_failed',
    error: /no worker could run it/
  })
})

t.test('a job whose result finds no space waits, and fails after ten', async (t) => {
  const running = record({ status: 'running', run: 'B', attempt: 30 })
  const back = { ...request({ run: 'B' }), givenBack: 'in_vain' as const }
  t.match(giveBack(running, back, 0), { status: 'running', givenBack: 'B', inVain: 1 })
  t.match(giveBack({ ...running, inVain: 9 }, back, 9_000), {
    status: 'failed',
    errorCode: 'storage_error',
    error: /no room for the result/
  })
})

t.test('a job whose result is lost runs again, and fails after ten', async (t) => {
  const running = record({ status: 'running', run: 'B', attempt: 1, streamSequence: 7 })
  const again = loseResult(running, 'B', 0)
  t.match(again, { status: 'running', lostResults: 1, dispatch: running.dispatch + 1, streamSequence: null })
  t.match(grantRun(again!, request({ dispatch: running.dispatch + 1 }), limits, 0, true), {
    reply: { go: true },
    record: { lostWorkers: 0 }
  }, 'the next run is neither refused nor makes a lost worker of it')
  t.equal(loseResult(again!, 'B', 0), undefined, 'told twice')
  t.equal(loseResult(running, 'A', 0), undefined, 'another run has the job')
  t.match(loseResult({ ...running, lostResults: 9 }, 'B', 9_000), {
    status: 'failed',
    errorCode: 'storage_error',
    error: /did not give the results of 10 runs/,
    completedAtMs: 9_000
  })
  t.equal(loseResult({ ...running, status: 'completed' }, 'B', 0), undefined)
})

t.test('a run that takes too long for a small job loses it once: the job is large, and nobody is lost', async (t) => {
  const running = record({ status: 'running', run: 'A', attempt: 1 })
  const large = outgrow(running, 'A')
  t.match(large, { size: 'large', dispatch: 3, streamSequence: null, givenBack: 'A', stopped: 'A', status: 'running' })
  t.equal(outgrow(large!, 'A'), undefined)
  t.match(grantRun(large!, request({ dispatch: 2, run: 'B' }), limits, 0, false).reply, {
    go: false,
    reason: 'superseded'
  }, 'by its message of before')
  const again = grantRun(large!, request({ dispatch: 3, run: 'B' }), limits, 0, true)
  t.match(again, { reply: { go: true, attempt: 2 }, record: { run: 'B', lostWorkers: 0, slotDeaths: 0 } })
  t.equal(outgrow(again.record!, 'B'), undefined, 'large ones may')
  t.equal(outgrow(running, 'B'), undefined, 'another run has it')
  t.equal(outgrow({ ...running, givenBack: 'A' }, 'A'), undefined, 'none has it')
  t.equal(outgrow({ ...running, status: 'completed' }, 'A'), undefined)
  t.match(applyResult(large!, result({ run: 'A' }), 0), { status: 'completed', winner: 'A' },
    'a result that was on its way counts')
})

t.test('whatever happens to its workers, a job is alone from the second lost one on, and an end needs proof or a ' +
  'limit', async (t) => {
  const random = uniform(22)
  for (let job = 0; job < 300; job++) {
    let now = record()
    for (let claim = 0; claim < 40 && now.status !== 'failed'; claim++) {
      const run = `R${claim}`
      const cause = (['crash', 'memory', 'unresponsive'] as const)[Math.floor(random() * 3)]!
      const died = random() < 0.4 && now.run !== null ? { run: random() < 0.8 ? now.run : 'other', cause } : undefined
      const isAlive = random() < 0.2
      const { reply, record: next } = grantRun(now, request({ run, ...(died === undefined ? {} : { died }) }), limits,
        5_000, isAlive)
      const after = next ?? now
      t.ok(after.lostWorkers >= now.lostWorkers && after.slotDeaths >= now.slotDeaths, 'no loss is forgotten')
      t.ok(after.lostWorkers + after.slotDeaths <= now.lostWorkers + now.slotDeaths + 1, 'one claim tells of one loss')
      if (reply.go) t.equal(reply.alone === true, after.lostWorkers >= 2)
      if (after.status === 'failed') {
        const isToBlame = died?.run === now.run && died?.cause === 'unresponsive' && now.lostWorkers >= 2
        t.ok(isToBlame || after.lostWorkers === limits.lostWorkers || after.slotDeaths === limits.slotDeaths)
      }
      now = after
    }
  }
})

t.test('completed from any run wins while the job is open, and a terminal record stays as it is', async (t) => {
  const open = record({ status: 'running', run: 'B', attempt: 2, startedAtMs: 1_400 })
  const done = applyResult(open, result({ run: 'A' }), 2_000)
  t.match(done, { status: 'completed', winner: 'A', completedAtMs: 2_000, numItems: 3, run: 'B' })
  t.strictSame(done!.timings, { queue: 0.4, fit: 0.25, total: 1 })
  t.equal(applyResult(done!, result({ run: 'B' }), 3_000), undefined)
  t.equal(applyResult(done!, result({ run: 'B', code: 'pipeline_failed' }), 3_000), undefined)
})

t.test('what a reconciliation did, and what explains a forecast, is kept with the job, and only where there is such ' +
  'a thing', async (t) => {
  const open = record({ status: 'running', run: 'A', attempt: 1, startedAtMs: 1_400 })
  const reconciliation: ReconciliationSummary = {
    method: 'bottom_up',
    levels: [{ name: 'total', numNodes: 1 }, { name: 'store', numNodes: 3 }],
    numSeries: 4,
    numBottom: 3,
    totalLabel: 'total',
    separator: '/',
    residualWindowsUsed: 0,
    maxIncoherenceBefore: 2,
    maxIncoherenceAfter: 0,
    warnings: []
  }
  t.strictSame(applyResult(open, result({ reconciliation }), 2_000)?.reconciliation, reconciliation)
  t.notOk('reconciliation' in (applyResult(open, result(), 2_000) ?? {}), 'as in records that are older than it')
  const preparation: PreparationReport = {
    ...{
      rowsRead: 10,
      rowsUsed: 8,
      filtered: [{ column: 'region', op: 'eq', values: ['North'], rows: 2 }],
      seriesBefore: 2,
      seriesAfter: 1,
      rowsCombined: 4
    },
    ...{
      incompletePeriodsDropped: 1,
      stepsFilled: 1,
      stepsDropped: 0,
      anomalies: { found: 0, changed: 0, examples: [] }
    }
  }
  t.strictSame(applyResult(open, result({ preparation }), 2_000)?.preparation, preparation)
  t.notOk('preparation' in (applyResult(open, result(), 2_000) ?? {}))
  const explainability: ExplainabilityOutcome = {
    overviewMarkdown: 'x',
    completed: ['shap'],
    skipped: { forecast_plot: 'timeout' },
    warnings: [],
    artifacts: []
  }
  const explanation: JobExplanation = {
    headline: 'x',
    narrative: '',
    dataFindings: [],
    forecastSummary: [],
    operationalImplications: [],
    caveats: [],
    confidence: 0.5,
    generatedBy: 'rules'
  }
  t.match(applyResult(open, result({ explainability, explanation }), 2_000), { explainability, explanation })
  for (const field of ['explainability', 'explanation']) {
    t.notOk(field in (applyResult(open, result(), 2_000) ?? {}), field)
  }
})

t.test('a failure decides when it is deterministic or comes from the newest run', async (t) => {
  const open = record({ status: 'running', run: 'B', attempt: 2, startedAtMs: 1_400 })
  t.match(applyResult(open, result({ run: 'A', code: 'validation_error', error: 'bad' }), 2_000), {
    status: 'failed',
    errorCode: 'validation_error',
    error: 'bad',
    winner: null
  })
  t.equal(applyResult(open, result({ run: 'A', code: 'storage_error' }), 2_000), undefined)
  t.match(applyResult(open, result({ run: 'B', code: 'storage_error' }), 2_000), {
    status: 'failed',
    errorCode: 'storage_error'
  })
})

t.test('the stages never add up to more than the total', async (t) => {
  const open = record({ status: 'running', run: 'A', attempt: 1, startedAtMs: 1_900 })
  const done = applyResult(open, result({ timings: { ingest: 0.3333, fit: 0.4, total: 9 } }), 2_000)!
  const { total, ...parts } = done.timings!
  t.ok(Object.values(parts).reduce((sum, value) => sum + value, 0) <= total! + 1e-9)
  t.equal(parts['ingest'], 0.333, 'three decimals')
})

t.test('tenants take turns, and a position counts the jobs that start before', async (t) => {
  const backlog = new FairBacklog()
  for (const id of ['a1', 'a2', 'a3']) backlog.add('a', id)
  backlog.add('b', 'b1')
  backlog.add('b', 'b1')
  backlog.add('c', 'c1')
  t.equal(backlog.size, 5)
  t.strictSame(['a1', 'b1', 'c1', 'a2', 'a3'].map((id) => backlog.position(id[0]!, id)), [0, 1, 2, 3, 4])
  t.equal(backlog.position('a', 'zz'), undefined)
  const order: string[] = []
  for (let next = backlog.take(); next !== undefined; next = backlog.take()) order.push(next.jobId)
  t.strictSame(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
  t.equal(backlog.size, 0)
  backlog.add('a', 'a4')
  t.ok(backlog.delete('a', 'a4'))
  t.notOk(backlog.delete('a', 'a4'))
  for (const id of ['b5', 'b6']) backlog.add('b', id)
  backlog.add('c', 'c5')
  backlog.add('b', 'b4', true)
  t.strictSame(['b4', 'c5', 'b5', 'b6'].map((id) => backlog.position(id[0]!, id)), [0, 1, 2, 3],
    'a job that is sent again is the next of its tenant')
  t.equal(backlog.size, 4)
})

t.test('positions are those of a list, whatever comes, goes and comes again', async (t) => {
  const random = uniform(7)
  const backlog = new FairBacklog()
  const list: string[] = []
  let wrong = 0
  for (let step = 0; step < 3_000; step++) {
    const at = Math.floor(random() * list.length)
    const kind = random()
    if (list.length === 0 || kind < 0.5) {
      backlog.add('a', `${step}`)
      list.push(`${step}`)
    } else if (kind < 0.6) {
      backlog.add('a', `${step}`, true)
      list.unshift(`${step}`)
    } else if (kind < 0.8) {
      if (backlog.take()?.jobId !== list.shift()) wrong++
    } else {
      backlog.delete('a', list[at] ?? '')
      list.splice(at, 1)
    }
    const probe = Math.floor(random() * list.length)
    if (list.length > 0 && backlog.position('a', list[probe] ?? '') !== probe) wrong++
  }
  t.equal(wrong, 0)
})

t.test('who deletes a job and looks at another one, in turn, has no walk through all of them each time', (t) => {
  const backlog = new FairBacklog()
  for (let at = 0; at < 400; at++) backlog.add('a', `job ${at}`)
  const writes = t.capture(Map.prototype, 'set', Map.prototype.set)
  for (let at = 100; at < 250; at++) {
    backlog.delete('a', `job ${at}`)
    backlog.position('a', 'job 399')
  }
  writes.restore()
  const { length } = writes.args()
  t.ok(length < 1_000, `${length} entries were written for 150 deletions`)
  t.equal(backlog.position('a', 'job 399'), 249)
  t.end()
})

t.test('a tenant that comes last waits for all others, and for no more than twenty of their turns', async (t) => {
  let mayGo = true
  const backlog = new FairBacklog({ tenant: 'z', mayHaveTurn: () => mayGo })
  for (const id of ['z1', 'z2']) backlog.add('z', id)
  for (let at = 0; at < 30; at++) backlog.add(at % 2 === 0 ? 'a' : 'b', `${at}`)
  t.strictSame([backlog.position('a', '2'), backlog.position('z', 'z1'), backlog.position('z', 'z2')], [2, 20, 31])
  const taken = (count: number) => Array.from({ length: count }, () => backlog.take()?.jobId)
  t.notOk(taken(20).some((id) => id?.startsWith('z')))
  t.equal(backlog.take()?.jobId, 'z1')
  t.notOk(taken(10).some((id) => id?.startsWith('z')))
  mayGo = false
  t.equal(backlog.take(), undefined, 'nor when it may not')
  mayGo = true
  t.equal(backlog.take()?.jobId, 'z2')
  t.equal(backlog.size, 0)
})

t.test('one that waits for all comes when nobody else does', async (t) => {
  let waitsForAll = true
  const backlog = new FairBacklog({ tenant: 'z', mayHaveTurn: () => true, waitsForAll: () => waitsForAll })
  backlog.add('z', 'z1')
  for (let at = 0; at < 60; at++) backlog.add('a', `${at}`)
  t.equal(backlog.position('z', 'z1'), 60)
  t.notOk(Array.from({ length: 50 }, () => backlog.take()?.jobId).includes('z1'))
  waitsForAll = false
  t.equal(backlog.take()?.jobId, 'z1')
})

t.test('of several rules the first that lets a tenant have a turn decides, and the last tenant comes after all of ' +
  'them', async (t) => {
  const backlog = new FairBacklog({ tenant: 'z', mayHaveTurn: () => true })
  for (const id of ['z1', 'a1', 'b1']) backlog.add(id[0]!, id)
  const take = () => backlog.take((tenant) => tenant === 'b', (tenant) => tenant === 'a')?.jobId
  t.strictSame([take(), take(), take(), take()], ['b1', 'a1', 'z1', undefined])
})

t.test('a worker that falls silent is gone, and a draining one takes nothing', async (t) => {
  let now = 0
  const presence = new WorkerPresence(100, () => now)
  const message: WorkerMessage = {
    v: 1,
    workerId: 'w',
    version: '0',
    slots: 2,
    freeAny: 1,
    freeSmall: 1,
    quick: 1,
    capabilities: ['forecast'],
    running: [{ jobId: 'j', run: 'R' }],
    draining: false
  }
  presence.announce(message)
  t.equal(presence.available().length, 1)
  t.ok(presence.isRunAlive('R', 50))
  now = 60
  t.notOk(presence.isRunAlive('R', 50))
  now = 101
  t.equal(presence.available().length, 0)
  presence.announce({ ...message, draining: true })
  t.equal(presence.available().length, 0)
  presence.forgetRun('R')
  t.notOk(presence.isRunAlive('R', 1_000))
})

t.test('jobs with little work are small, unknown ones are large', async (t) => {
  const profile = { rows: 2_000, series: 10, minLength: 200, maxLength: 200, freq: 'MS' }
  t.equal(jobSize(profile, { ...spec, preset: 'fast' }), 'small')
  t.equal(jobSize({ ...profile, rows: 700_000, series: 23_000 }, spec), 'large')
  t.equal(jobSize(null, spec), 'large')
  const covariates = Array.from({ length: 50 }, (_, index) => `x${index}`)
  const explained = { ...spec, preset: 'balanced' as const, columns: { ...spec.columns, covariates } }
  t.equal(jobSize({ ...profile, rows: 3_000, series: 1 }, explained), 'large', 'regressors multiply the work')
  const medium = { ...profile, rows: 340_000, series: 3_400 }
  const lesser = { ...medium, rows: 102_000 }
  const reconciled = (of: DatasetProfile, weights: ReconciliationSpec['weights'], residualWindows: number) =>
    jobSize(of, {
      ...spec,
      preset: 'fast',
      reconciliation: {
        hierarchyColumns: ['region'],
        method: 'min_trace',
        weights,
        topDownMethod: 'proportions_of_historical_totals',
        separator: '/',
        totalLabel: 'total',
        residualWindows
      }
    })
  t.equal(jobSize(medium, { ...spec, preset: 'fast' }), 'small')
  t.equal(reconciled(medium, 'wls_struct', 1), 'large', 'parents are forecast too')
  t.equal(reconciled(lesser, 'wls_struct', 5), 'small', 'windows that the weights do not need cost nothing')
  t.equal(reconciled(lesser, 'shrink', 5), 'large', 'the others are forecast as well')
  const counts = { trailingHistorySteps: null, maxRows: 5000, maxFeatures: 25, topKFeatures: 15, shapSampleSize: 512 }
  const drawn = (of: DatasetProfile, analyses: Analysis[]) =>
    jobSize(of, { ...spec, preset: 'fast', predictionLength: 48, explainability: { analyses, ...counts } })
  t.equal(drawn(profile, ['forecast_plot']), 'small')
  t.equal(drawn(medium, ['forecast_plot']), 'large', 'many figures to draw')
  t.equal(drawn(profile, []), 'small')
  t.equal(drawn(profile, ['forecast_plot', 'shap']), 'large', 'rows of features to learn from')
})
