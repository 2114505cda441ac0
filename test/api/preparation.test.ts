import t from 'tap'
import { Compile } from 'typebox/compile'
import { renderForecastJob } from '../../src/api/render-forecast-job.ts'
import { renderPreparation, renderPreparationConfig } from '../../src/api/render-preparation.ts'
import { preparationConfig, preparationStatus } from '../../src/api/schemas/preparation-status.ts'
import type { PreparationReport, PreparationSpec } from '../../src/domain/preparation-spec.ts'
import type { JobRecord } from '../../src/services/jobs/job-record.ts'
import { openApi } from '../support/api.ts'
import { form } from '../support/form.ts'
import { testSpec } from '../support/job-message.ts'
import { until } from '../support/until.ts'

/* What a job shows of the preparation of its rows. The test plays the worker. */

const report: PreparationReport = {
  rowsRead: 100,
  rowsUsed: 90,
  filtered: [{ column: 'region', op: 'eq', values: ['North'], rows: 10 }],
  seriesBefore: 4,
  seriesAfter: 2,
  rowsCombined: 60,
  rowsCombinedAcross: 40,
  incompletePeriodsDropped: 1,
  stepsFilled: 3,
  stepsDropped: 0,
  anomalies: {
    found: 2,
    changed: 1,
    examples: [{ itemId: 'a', timestamp: '2024-01-07T00:00:00+00:00', value: 900, usedInstead: 12.5 }, {
      itemId: 'b',
      timestamp: '2024-01-14T00:00:00+00:00',
      value: -3,
      usedInstead: null
    }]
  }
}

t.test('a completed job shows what was done with its rows', async (t) => {
  const stage = await openApi(t)
  const { headers, payload } = form([['prediction_length', '3'], ['file',
    'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n', 'a.csv']])
  const authorization = { authorization: `Bearer ${stage.key}` }
  const answer = await stage.app.inject({
    method: 'POST',
    url: '/forecast',
    headers: { ...headers, ...authorization },
    payload
  })
  const { job_id: jobId } = answer.json<{ job_id: string }>()
  await stage.finishNext({ 'forecast.csv': 'item_id,timestamp,mean\na,2024-03-01 00:00:00,3.0\n' }, {
    preparation: report
  })
  const job = await until('the job ends', async () => {
    const { payload } = await stage.app.inject({ method: 'GET', url: `/jobs/${jobId}`, headers: authorization })
    const job = JSON.parse(payload) as Record<string, unknown>
    return job['status'] === 'completed' ? job : undefined
  })
  t.strictSame(job['preparation'], {
    rows_read: 100,
    rows_used: 90,
    filtered: [{ column: 'region', op: 'eq', values: ['North'], rows: 10 }],
    series_before: 4,
    series_after: 2,
    rows_combined: 60,
    rows_combined_across: 40,
    incomplete_periods_dropped: 1,
    steps_filled: 3,
    steps_dropped: 0,
    anomalies: {
      found: 2,
      changed: 1,
      examples: [{ item_id: 'a', timestamp: '2024-01-07T00:00:00+00:00', value: 900, used_instead: 12.5 }, {
        item_id: 'b',
        timestamp: '2024-01-14T00:00:00+00:00',
        value: -3,
        used_instead: null
      }]
    }
  })
  t.ok(Compile(preparationStatus).Check(job['preparation']))
})

t.test('the effective configuration has what was asked for', async (t) => {
  const spec: PreparationSpec = {
    filters: [{ column: 'price', op: 'between', values: ['1', '2'] }],
    step: null,
    aggregate: 'mean',
    missing: 'zero',
    anomalies: 'clip'
  }
  const rendered = {
    filters: [{ column: 'price', op: 'between', values: ['1', '2'] }],
    series_columns: null,
    step: null,
    aggregate: 'mean',
    across: null,
    missing: 'zero',
    anomalies: 'clip'
  }
  t.strictSame(renderPreparationConfig(spec), rendered)
  t.ok(Compile(preparationConfig).Check(rendered))
  t.match(renderPreparationConfig({ ...spec, seriesColumns: [], step: 'W-SUN', aggregate: 'max', across: 'sum' }), {
    series_columns: [],
    step: 'W-SUN',
    aggregate: 'max',
    across: 'sum'
  })
  const { rowsCombinedAcross: _count, ...older } = report
  t.match(renderPreparation(older), { rows_combined: 60, rows_combined_across: null },
    'of a worker of the last release')
  const record: JobRecord = {
    ...{
      v: 1,
      jobId: 'job_1',
      tenant: 'acme',
      keyId: 'abcdefgh',
      requestId: 'r1',
      jobType: 'forecast',
      status: 'pending',
      size: 'small',
      createdAtMs: 1_000,
      startedAtMs: null
    },
    ...{
      completedAtMs: null,
      expiresAtMs: null,
      name: null,
      metadata: null,
      spec: testSpec,
      configHash: 'c',
      input: { key: 'k', format: 'csv', bytes: 1, sha256: 's' },
      profile: null,
      dispatch: 1
    },
    ...{
      streamSequence: null,
      attempt: 0,
      run: null,
      slotDeaths: 0,
      lostWorkers: 0,
      winner: null,
      files: [],
      numItems: null,
      datasetHash: null,
      modelVersion: null,
      timings: null,
      warnings: [],
      error: null,
      errorCode: null
    }
  }
  t.strictSame(renderForecastJob(record, { ...testSpec, preparation: spec }, null).effective_config?.preparation,
    rendered)
  t.equal(renderForecastJob(record, testSpec, null).effective_config?.preparation, null)
})
