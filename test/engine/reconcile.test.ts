import t, { type Test } from 'tap'
import { EngineError, reconcile, type ReconcileMethod } from '../../src/engine/index.ts'

/* A total of two groups with three leaves: nodes 0; 1, 2; 3, 4 (of 1) and 5 (of 2). */
const parents = Int32Array.of(-1, 0, 0, 1, 1, 2)
const base = Float64Array.of(20, 22, 9, 10, 8, 9, 4, 5, 6, 4, 7, 10)
const steps = 2

async function reconciled (t: Test, method: ReconcileMethod, nonNegative = false, given = base): Promise<number[]> {
  const { values, maxIncoherenceAfter } = await reconcile({ parents, base: given, steps, method, nonNegative })
  t.ok(maxIncoherenceAfter < 1e-12)
  for (let step = 0; step < steps; step++) {
    const at = (node: number) => values[node * steps + step] ?? NaN
    t.ok(Math.abs(at(0) - at(1) - at(2)) < 1e-12 && Math.abs(at(1) - at(3) - at(4)) < 1e-12 && Math.abs(at(2) - at(5)) < 1e-12)
  }
  return [...values]
}

const isClose = (one: readonly number[], other: readonly number[]) => one.length === other.length && one.every((value, at) => Math.abs(value - (other[at] ?? NaN)) < 1e-9)

t.test('each method keeps what it keeps, and everything adds up', async (t) => {
  t.strictSame(await reconciled(t, { name: 'bottom_up' }), [17, 19, 10, 9, 7, 10, 4, 5, 6, 4, 7, 10])
  t.ok(isClose(await reconciled(t, { name: 'top_down', shares: Float64Array.of(1, 1, 2) }), [20, 22, 10, 11, 10, 11, 5, 5.5, 5, 5.5, 10, 11]))
  const divided = await reconciled(t, { name: 'forecast_proportions', shares: Float64Array.of(1, 1, 1) })
  t.ok(isClose(divided.slice(0, 4), [20, 22, 20 * 9 / 17, 22 * 10 / 19]), 'the total is divided as the groups were forecast')
  const variances = Float64Array.from(parents, () => 3)
  const ols = await reconciled(t, { name: 'ols' })
  t.ok(isClose(await reconciled(t, { name: 'wls_var', variances }), ols), 'equal variances are least squares')
  t.notOk(isClose(await reconciled(t, { name: 'wls_struct' }), ols))
})

t.test('a shrunk covariance tells how much it was shrunk', async (t) => {
  const residuals = Float64Array.from({ length: parents.length * 8 }, (_, at) => Math.sin(at * at))
  residuals[3] = NaN
  await reconciled(t, { name: 'shrink', residuals })
  const { shrinkage } = await reconcile({ parents, base, steps, method: { name: 'shrink', residuals }, nonNegative: false })
  t.ok(shrinkage !== null && shrinkage > 0 && shrinkage <= 1)
  t.equal((await reconcile({ parents, base, steps, method: { name: 'ols' }, nonNegative: false })).shrinkage, null)
})

t.test('nothing comes out below zero when it must not', async (t) => {
  const low = base.map((value, at) => at === 8 ? -9 : value)
  t.ok((await reconciled(t, { name: 'ols' }, false, low)).some((value) => value < 0))
  t.ok((await reconciled(t, { name: 'ols' }, true, low)).every((value) => value >= 0))
})

t.test('arrays that do not fit, or make no tree, are refused', async (t) => {
  const given = { parents, base, steps, method: { name: 'ols' } as ReconcileMethod, nonNegative: false }
  const cases: Array<[change: object, message: RegExp]> = [
    [{ base: base.subarray(1) }, /base forecasts must be 12/],
    [{ steps: 3 }, /base forecasts/],
    [{ base: base.map((value, at) => at === 5 ? NaN : value) }, /node 2 .* not a finite/],
    [{ parents: Int32Array.of(-1, 0, -1, 1, 1, 2) }, /node 2 has no parent/],
    [{ parents: Int32Array.of(-1, 0, 0, 4, 1, 2) }, /node 3 does not stand behind/],
    [{ parents: new Int32Array() }, /needs a series/],
    [{ method: { name: 'top_down', shares: Float64Array.of(1) } }, /shares must be 3/],
    [{ method: { name: 'wls_var', variances: Float64Array.of(1) } }, /variances must be 6/],
    [{ method: { name: 'shrink', residuals: Float64Array.of(1, 2, 3, 4, 5, 6, 7) } }, /residuals must be 6/],
    [{ method: { name: 'middle_out' } }, /middle_out/]
  ]
  for (const [change, message] of cases) {
    const error = await reconcile({ ...given, ...change }).then(() => undefined, (thrown: unknown) => thrown)
    t.ok(error instanceof EngineError, String(message))
    t.match(error, { kind: 'failed', code: 'pipeline_failed', message })
  }
})
