import t from 'tap'
import { createTask, EngineError, reconcile, type ReconcileOptions } from '../../src/engine/index.ts'

// Two steps of a total, the regions a and b, the shops a/x, a/y and b/x.
const parents = Int32Array.of(-1, 0, 0, 1, 1, 2)
const base = Float64Array.of(20, 21, 9, 12, 6, 6, 5, 4, 5, 5, 7, -9)
const sound: ReconcileOptions = {
  parents,
  base,
  steps: 2,
  method: 'min_trace',
  weights: 'wls_struct',
  nonNegative: false
}

function gaps (values: Float64Array, steps: number): number[] {
  const sums = new Float64Array(values.length)
  for (let at = steps; at < values.length; at++) {
    const parent = parents[Math.floor(at / steps)] ?? 0
    sums[parent * steps + at % steps] = (sums[parent * steps + at % steps] ?? 0) + (values[at] ?? 0)
  }
  return [...values.slice(0, 3 * steps)].map((value, at) => Math.abs(value - (sums[at] ?? 0)))
}

async function failure (options: ReconcileOptions): Promise<string> {
  try {
    await reconcile(options)
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'failed' && error.code === 'pipeline_failed') {
      return error.message
    }
    throw error
  }
  throw new Error('the call succeeded')
}

t.test('every method makes the parents the sums of their children', async t => {
  const shares = Float64Array.of(3, 1, 4)
  const residuals = Float64Array.from({ length: 6 * 7 }, (_, at) => at % 11 === 3 ? Number.NaN : Math.sin(at * at))
  const methods: Array<Partial<ReconcileOptions>> = [
    { method: 'bottom_up' },
    { method: 'top_down', topDownMethod: 'proportions_of_historical_totals', shares },
    { method: 'top_down', topDownMethod: 'average_historical_proportions', shares },
    { method: 'top_down', topDownMethod: 'forecast_proportions', shares },
    { weights: 'ols' },
    { weights: 'wls_struct' },
    { weights: 'wls_var', variances: Float64Array.of(9, 4, 1, 1, 0, 1) },
    { weights: 'wls_var', residuals },
    { weights: 'shrink', residuals }
  ]
  for (const change of methods) {
    const what = [change.method, change.weights, change.topDownMethod].join(' ')
    for (const nonNegative of [false, true]) {
      const found = await reconcile({ ...sound, ...change, nonNegative })
      t.type(found.values, Float64Array)
      t.equal(found.values.length, base.length)
      t.ok(Math.max(...gaps(found.values, 2)) < 1e-12, `the sums of ${what}`)
      t.ok(found.maxIncoherenceAfter < 1e-12, what)
      t.equal(found.maxIncoherenceBefore, 15, what)
      t.equal(found.shrinkage !== null, change.weights === 'shrink', what)
      if (nonNegative) t.ok(found.values.every((value) => value >= 0), what)
      if (change.variances !== undefined) t.equal(found.counts.flooredVariances, 1)
    }
  }
  const { values, counts } = await reconcile({
    ...sound,
    method: 'top_down',
    topDownMethod: 'forecast_proportions',
    shares
  })
  const expected = [20, 21, 12, 14, 8, 7, 6, 56 / 9, 6, 70 / 9, 8, 7]
  t.ok(values.every((value, at) => Math.abs(value - (expected[at] ?? 0)) < 1e-12))
  t.match(counts, { shareFallbacks: 0, equalSplits: 0, pinnedValues: 0 })
})

t.test('arrays are those of the moment of the call, also parts of larger ones', async t => {
  const expected = await reconcile(sound)
  const wide = new Float64Array(40).fill(Number.NaN)
  wide.set(base, 7)
  const part = wide.subarray(7, 7 + base.length)
  const running = reconcile({ ...sound, base: part })
  part.fill(Number.NaN)
  t.strictSame(await running, expected)
  t.strictSame(await reconcile(sound), expected, 'nothing of the caller was changed')
})

t.test('arrays and names that do not fit are errors, not crashes', async t => {
  const detached = Float64Array.from(base)
  structuredClone(detached, { transfer: [detached.buffer] })
  const cases: Array<[Partial<ReconcileOptions>, RegExp]> = [
    [{ parents: new Int32Array(0), base: new Float64Array(0) }, /needs a series/],
    [{ parents: Int32Array.of(0, 0, 0, 1, 1, 2) }, /node 0 has a parent/],
    [{ parents: Int32Array.of(-1, -1, 0, 1, 1, 2) }, /node 1 has no parent/],
    [{ parents: Int32Array.of(-1, 0, 0, 1, 5, 2) }, /node 4 does not stand behind/],
    [{ parents: Int32Array.of(-1, 0, 0, 1, 2147483647, 2) }, /node 4 does not stand behind/],
    [{ parents: Int32Array.of(-1, 0, 0, -2147483648, 1, 2) }, /node 3 does not stand behind/],
    [{ base: base.subarray(1) }, /base forecasts must be 12 numbers, not 11/],
    [{ base: detached }, /base forecasts must be 12 numbers, not 0/],
    [{ steps: 4294967295 }, /base forecasts must be \d+ numbers, not 12/],
    [{ steps: 0 }, /base forecasts must be 0 numbers/],
    [{ base: base.map((value, at) => at === 5 ? Number.NaN : value) }, /node 2 in lane 1 is not a finite number/],
    [{ base: base.map(() => Number.MAX_VALUE) }, /too large/],
    [{ weights: 'wls_var' }, /needs variances or residuals/],
    [{ weights: 'wls_var', variances: new Float64Array(5) }, /variances must be 6 numbers, not 5/],
    [{ weights: 'shrink' }, /needs residuals/],
    [{ weights: 'shrink', residuals: new Float64Array(13) }, /residuals must be 12 numbers, not 13/],
    [{ method: 'top_down' }, /needs a top-down method/],
    [{ method: 'top_down', topDownMethod: 'forecast_proportions' }, /needs shares/],
    [{ method: 'top_down', topDownMethod: 'forecast_proportions', shares: new Float64Array(6) },
      /shares must be 3 numbers, not 6/],
    [{ method: 'middle_out' as 'bottom_up' }, /no method "middle_out"/],
    [{ weights: 'emint' as 'ols' }, /no kind of weights "emint"/]
  ]
  for (const [change, message] of cases) t.match(await failure({ ...sound, ...change }), message)
  for (const steps of [-1, 1.5, 2 ** 32, Number.NaN]) {
    await t.rejects(reconcile({ ...sound, steps }), { name: 'RangeError', message: /steps must be a count/ })
  }

  const wild = [Number.NaN, Infinity, -Infinity, -1, 0, 5e-324, Number.MAX_VALUE]
  const pick = (length: number, seed: number) =>
    Float64Array.from({ length }, (_, at) => wild[(seed + at * at) % wild.length] ?? 0)
  for (let seed = 0; seed < wild.length; seed++) {
    for (const change of [
      { weights: 'wls_var' as const, variances: pick(6, seed) },
      { weights: 'shrink' as const, residuals: pick(12, seed) },
      { weights: 'shrink' as const, residuals: new Float64Array(0) },
      { method: 'top_down' as const, topDownMethod: 'forecast_proportions' as const, shares: pick(3, seed) }
    ]) {
      const { values } = await reconcile({ ...sound, ...change, nonNegative: true })
      t.ok(values.every((value) => value >= 0 && value < Infinity), `seed ${seed}, ${change.weights ?? change.method}`)
    }
  }
  await t.rejects(async () => await reconcile({ ...sound, base: Float32Array.from(base) as unknown as Float64Array }),
    'another kind of array')

  const task = createTask()
  task.cancel()
  await t.rejects(reconcile(sound, task), /cancelled/)
})
