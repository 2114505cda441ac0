import t, { type Test } from 'tap'
import { Compile } from 'typebox/compile'
import { explainabilityStatus } from '../../src/api/schemas/explainability-status.ts'
import type { ExplainabilityOutcome } from '../../src/domain/explainability-spec.ts'
import type { TabularSpec } from '../../src/domain/tabular-spec.ts'
import { renderAnalyses } from '../../src/report/analyses/render-analyses.ts'
import { tableDocument } from '../support/analyses-document.ts'
import { openApi, type ApiStage } from '../support/api.ts'
import { expectError, fieldsOf, suggestionOf, type Answer } from '../support/expect-error.ts'
import { endedJob } from '../support/fine-tuning.ts'
import { StorageCaller, type Json } from '../support/storage.ts'
import { outcomeOf, predictions, tabularRoutes, type TabularRoute } from '../support/tabular.ts'
import { readZip } from '../support/zip.ts'

/*
 * The `explainability` block on the four routes for tables, and what a job shows and gives of it. The test plays the
 * worker.
 */

const full = {
  enabled: true,
  feature_importance: true,
  shap: true,
  feature_feature_correlations: false,
  feature_target_correlations: true,
  forecast_plot: true,
  rolling_regression: false,
  trailing_history_steps: 30,
  max_rows: 60,
  max_features: 4,
  top_k_features: 3,
  shap_sample_size: 30
}
const selected = ['forecast_plot', 'feature_importance', 'shap', 'feature_target_correlations']
const resolved = {
  analyses: selected,
  trailingHistorySteps: null,
  maxRows: 60,
  maxFeatures: 4,
  topKFeatures: 3,
  shapSampleSize: 30
}

async function setup (t: Test): Promise<{ stage: ApiStage, caller: StorageCaller, routes: TabularRoute[] }> {
  const stage = await openApi(t)
  const caller = new StorageCaller(stage)
  return { stage, caller, routes: await tabularRoutes({ stage, caller }) }
}

const jobOf = ({ text }: Answer): Json & { job_id: string } => JSON.parse(text) as Json & { job_id: string }

/** What the worker makes of a sample: the record, and the files by their names in the run. */
function analysed (): { explainability: ExplainabilityOutcome, files: Record<string, string> } {
  const document = tableDocument({
    completed: ['feature_importance', 'shap'],
    skipped: { forecast_plot: 'not_applicable', feature_target_correlations: 'timeout' }
  })
  const present: Record<string, string> = {
    'feature_importance.csv': 'feature\n',
    'shap_summary.csv': 'feature\n',
    'shap_values.csv': 'feature\n'
  }
  const { outcome, files } = renderAnalyses({
    document,
    files: Object.fromEntries(Object.entries(present).map(([name, text]) => [name, Buffer.byteLength(text)]))
  })
  return {
    explainability: outcome,
    files: Object.fromEntries(
      Object.entries({ ...present, ...files }).map(([name, text]) => [`explainability/${name}`, text])
    )
  }
}

t.test('every route takes the block to the worker, and the job shows it', async (t) => {
  const { stage, caller, routes } = await setup(t)
  for (const { path, send } of routes) {
    const answer = await send({ explainability: full })
    t.equal(answer.status, 202, `${path}: ${answer.text}`)
    const job = jobOf(answer)
    t.strictSame((job['effective_config'] as Json)['explainability'], { ...full, trailing_history_steps: null }, path)
    t.strictSame(job['explainability'], {
      enabled: true,
      overview_markdown: '',
      selected_analyses: selected,
      completed_analyses: [],
      skipped_analyses: {},
      warnings: [],
      artifacts: []
    })
    t.ok(Compile(explainabilityStatus).Check(job['explainability']))
    t.equal(job['explainability_url'], null)
    const handle = await stage.takeNext('large')
    t.strictSame((handle.message.spec as TabularSpec).explainability, resolved, path)
    handle.ack()
    t.equal((await caller.ask('DELETE', `/jobs/${job.job_id}`)).status, 204)
  }
})

t.test('every bound, on every route', async (t) => {
  const { caller, routes } = await setup(t)
  const least = { max_rows: 50, max_features: 1, top_k_features: 1, shap_sample_size: 25, trailing_history_steps: 1 }
  const cases: Array<[block: unknown, field: string[], type: string]> = [
    ...Object.entries(least).map((
      [field, value]
    ): [unknown, string[], string] => [{ enabled: true, [field]: value - 1 }, [field], 'greater_than_equal']),
    [{ enabled: true, max_rows: 99.5 }, ['max_rows'], 'int_from_float'],
    [{ enabled: true, shap: 'perhaps' }, ['shap'], 'bool_parsing'],
    [{ enabled: false, lime: true }, ['lime'], 'extra_forbidden'],
    [[], [], 'dict_type']
  ]
  for (const { path, send } of routes) {
    for (const [block, field, type] of cases) {
      const found = fieldsOf(await expectError(t, await send({ explainability: block }), 422, 'validation_error'))
      t.match(found, [{ loc: ['body', 'explainability', ...field], type }], `${path}: ${field.join('.')} ${type}`)
      t.equal(found.length, 1)
    }
    const taken = await send({ explainability: { enabled: true, ...least } })
    t.equal(taken.status, 202, `${path}: ${taken.text}`)
    t.equal((await caller.ask('DELETE', `/jobs/${jobOf(taken).job_id}`)).status, 204)
  }
})

t.test('absent, null and disabled are off; what a table has no use for does not change the hash', async (t) => {
  const { routes } = await setup(t)
  for (const { path, send } of routes) {
    const hash = async (block: unknown) => jobOf(await send({ explainability: block }))['config_hash']
    const plain = await hash(undefined)
    for (const block of [null, {}, { ...full, enabled: false }]) {
      t.equal(await hash(block), plain, `${path}: ${JSON.stringify(block)}`)
    }
    const own = await hash(full)
    t.not(own, plain)
    t.equal(await hash({ ...full, trailing_history_steps: 31 }), own)
    t.not(await hash({ ...full, max_rows: 61 }), own)
  }
})

t.test('a completed job shows every artifact, each address gives its file, and the zip has them', async (t) => {
  const { stage, caller, routes } = await setup(t)
  const made = analysed()
  const { job_id: jobId } = jobOf(await routes[0]?.send({ explainability: full }) as Answer)
  await stage.finishNext({ ...predictions, ...made.files }, {
    numItems: null,
    tabular: outcomeOf(),
    explainability: made.explainability
  }, 'large')
  const job = await endedJob(stage, stage.key, jobId)
  const status = job['explainability'] as { artifacts: Json[] } & Json
  t.ok(Compile(explainabilityStatus).Check(status))
  t.match(status, {
    overview_markdown: made.explainability.overviewMarkdown,
    completed_analyses: ['feature_importance', 'shap'],
    skipped_analyses: { forecast_plot: 'not_applicable', feature_target_correlations: 'timeout' },
    summary_path: 'explainability/summary.json'
  })
  const names = ['feature_importance.html', 'feature_importance.svg', 'feature_importance.csv', 'shap_summary.html',
    'shap_summary.svg', 'shap_summary.csv', 'shap_values.csv']
  t.strictSame(status.artifacts.map((one) => one['artifact_id']), names)
  t.strictSame(status.artifacts.filter((one) => one['is_primary_visual']).map((one) => one['artifact_id']), [
    'feature_importance.html'
  ])
  for (const name of [...names, 'summary.json']) {
    const file = await caller.ask('GET', `/jobs/${jobId}/artifacts/${name}`)
    t.strictSame([file.status, file.text], [200, made.files[`explainability/${name}`]], name)
  }
  t.equal(job['explainability_url'], `/jobs/${jobId}/artifacts/summary.json`)
  t.match(
    suggestionOf(
      await expectError(t, await caller.ask('GET', `/jobs/${jobId}/artifacts/forecast_plot.html`), 404, 'not_found')
    ),
    /skipped_analyses/
  )
  const answer = await stage.app.inject({
    url: `/jobs/${jobId}/download`,
    headers: { authorization: `Bearer ${caller.key}` }
  })
  t.strictSame([...readZip(answer.rawPayload).keys()].sort(),
    [...Object.keys(predictions), ...Object.keys(made.files)].sort(), 'the artifacts are files of the result')
})

t.test('predictions without analyses say so', async (t) => {
  const { stage, caller, routes } = await setup(t)
  const { job_id: jobId } = jobOf(await routes[1]?.send({}) as Answer)
  await stage.finishNext(predictions, { numItems: null, tabular: outcomeOf() }, 'large')
  await endedJob(stage, stage.key, jobId)
  const error = await expectError(t, await caller.ask('GET', `/jobs/${jobId}/artifacts/shap_values.csv`), 404,
    'not_found')
  t.match([error.detail, suggestionOf(error)].map((one) => JSON.stringify(one)).join(' '),
    /without analyses.*explainability block/)
})
