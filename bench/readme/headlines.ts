import { join } from 'node:path'
import { readResult, resultsFolder } from '../result.ts'
import { formatRow } from './benchmark-tables.ts'
import { table } from './markdown.ts'

interface Headline {
  bench: string
  /** The row of the result. */
  what: string
  /** The same for somebody who does not know the benches. */
  says: string
  onFirstPage?: true
}

/** What a reader wants to know first. The figures are those of the results. */
export const headlines: readonly Headline[] = [
  {
    bench: 'accuracy',
    what: 'M4 quarterly part, 2,000 series, best: OWA, relative',
    says: 'error (OWA), 2,000 quarterly series of M4, `best`; less is better',
    onFirstPage: true
  },
  {
    bench: 'accuracy',
    what: 'M4 monthly hold-out, 1,000 series, best: OWA, relative',
    says: 'error (OWA), 1,000 monthly series of M4, `best`; less is better'
  },
  {
    bench: 'accuracy',
    what: 'M4 weekly, 359 series, best: OWA (Naive2 = 1)',
    says: 'error (OWA, Naive2 is 1), 359 weekly series of M4, `best`; less is better'
  },
  {
    bench: 'accuracy',
    what: 'M4 hourly, 414 series, balanced: MSIS of the 95 % band, relative',
    says: 'error of 95 % intervals (MSIS), 414 hourly series of M4, `balanced`; less is better',
    onFirstPage: true
  },
  {
    bench: 'accuracy',
    what: 'M4 quarterly part, 14,891 series, balanced: inside the 80 % band',
    says: 'values inside the 80 % interval, 14,891 quarterly series of M4, `balanced`'
  },
  {
    bench: 'global',
    what: 'mean of the ratios of 8 sets: MASE of best over that of mlforecast 1.1.0 with lightgbm 4.7.0',
    says: 'error (MASE) of `best` over that of mlforecast with tuned LightGBM, mean of 8 panels; less is better',
    onFirstPage: true
  },
  {
    bench: 'high-frequency',
    what: '16 tasks of GIFT-Eval, 122 windows, balanced: MASE relative to that of seasonal_naive, geometric mean',
    says:
      'error (MASE, seasonal naive is 1), 16 tasks of GIFT-Eval from 10 seconds to days, `balanced`; less is better',
    onFirstPage: true
  },
  {
    bench: 'high-frequency',
    what: '16 tasks of GIFT-Eval, 122 windows, balanced: CRPS relative to that of seasonal_naive, geometric mean',
    says: 'error (CRPS, seasonal naive is 1), the same tasks, `balanced`; less is better'
  },
  {
    bench: 'covariates',
    what: 'Rossmann, 100 stores, daily, 3 origins, balanced, promotions and holidays: MASE lower by',
    says: 'error (MASE) that promotions and holidays save, 100 Rossmann stores, `balanced`'
  },
  {
    bench: 'robustness',
    what: 'geometric mean over 8 sets: MASE of single short series, balanced, over that of simple exponential ' +
      'smoothing',
    says: 'error (MASE) on series of 3 to 20 values over that of simple exponential smoothing; less is better'
  },
  {
    bench: 'reconciliation',
    what: 'min_trace:wls_struct, balanced: scaled CRPS over that of hierarchicalforecast with the same method ' +
      '(normality) and base forecasts, mean of the 5 sets',
    says: 'error (CRPS) of reconciled forecasts over that of hierarchicalforecast, mean of 5 sets; less is better'
  },
  {
    bench: 'reconciliation',
    what:
      'wls_struct: 42,840 nodes, 30,490 of them leaves, 28 steps; the ratio is times faster than the sparse method ' +
      'alone, which is handed its summing matrix',
    says: 'time to reconcile 42,840 series of a hierarchy',
    onFirstPage: true
  },
  {
    bench: 'tabular',
    what: 'mean rank among the 8, 18 tables',
    says: 'mean rank on 18 tables among LightGBM, XGBoost, CatBoost, random forest and others; 1 is best',
    onFirstPage: true
  },
  {
    bench: 'tabular',
    what: "won against CatBoost at its defaults, a difference under 0.5 % of the baseline's loss as half a win",
    says: 'tables on which it beats CatBoost'
  },
  {
    bench: 'engine',
    what: 'auto_ets: 1,000 M4 quarterly series, season 4, fit and 8 steps ahead, one thread; the ratio is times faster',
    says: 'time to fit exponential smoothing to one series',
    onFirstPage: true
  },
  {
    bench: 'engine',
    what: 'fast: 1,000,000 monthly series of 60 points, horizon 12, 9 quantiles, Parquet to Parquet, 2 threads',
    says: 'time for a million monthly series, `fast`, 2 threads'
  },
  {
    bench: 'ingest',
    what: 'CSV of 5,000,000 rows, 5,000 series: typed read, dates, nulls, duplicates, groups, 2 threads',
    says: 'time to read and check a CSV file of 5,000,000 rows',
    onFirstPage: true
  },
  {
    bench: 'trees',
    what:
      'SHAP: 200 trees of LightGBM, depth 6, 46 leaves each, 30 features, 2,048 rows, one thread; the ratio is times ' +
      'faster',
    says: 'time to explain one prediction of 200 trees, exactly',
    onFirstPage: true
  },
  {
    bench: 'http',
    what: 'one series of 200 points, default preset, idle service, submit to completed, p50 of 50',
    says: 'one small forecast over HTTP, from upload to result',
    onFirstPage: true
  },
  {
    bench: 'http',
    what: '32 clients, 60 s, jobs of 10 series x 200 points, fast, submit to completed',
    says: 'small jobs over HTTP, `fast`, 32 clients, 2 cores'
  },
  {
    bench: 'faults',
    what: 'completed with the bytes of an undisturbed run',
    says: 'jobs of 10,000 that end with the right bytes while processes are killed at random',
    onFirstPage: true
  },
  {
    bench: 'operations',
    what: 'api with 1,000,000 jobs on record: from the end of the process before to healthy',
    says: 'restart with a million jobs on record'
  }
]

export function headlineTable (shown: readonly Headline[]): string {
  return table(['what', 'tabcast', 'compared with', 'ratio', 'gate', ''], shown.map(({ bench, what, says }) => {
    const row = readResult(join(resultsFolder, `${bench}.json`)).rows.find((row) => row.what === what)
    if (row === undefined) throw new Error(`bench/results/${bench}.json has no row "${what}"`)
    const [, figure = '', peer = '', ratio = '', gate = '', , verdict = ''] = formatRow(row)
    return [says, figure, peer, ratio, gate, verdict]
  }))
}
