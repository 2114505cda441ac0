import type { AnalysisName } from './analyses-document.ts'
import type { AnalysisFile } from './outcome.ts'
import type { Subject } from './subject.ts'

type KnownFile = Pick<AnalysisFile, 'name' | 'analysis' | 'label' | 'format' | 'description'>

/** A page, a drawing and the figures of one analysis. */
function filesOf (analysis: AnalysisName, stem: string, label: string, page: string, figures: string): KnownFile[] {
  return [
    { name: `${stem}.html`, analysis, label, format: 'html', description: `${page} As a page that needs no network.` },
    { name: `${stem}.svg`, analysis, label: `${label}, drawing`, format: 'svg', description: `${page} As a drawing.` },
    { name: `${stem}.csv`, analysis, label: `${label}, data`, format: 'csv', description: figures }
  ]
}

/** The files that analyses of a forecast or a table may have, in the order in which they are shown. */
export const artifactFilesOf = ({ result, isTable }: Pick<Subject, 'result' | 'isTable'>): KnownFile[] => [
  ...filesOf('forecast_plot', 'forecast_plot', 'Forecast plot',
    'The forecast with its bands beside the recent history.',
    'The figures of the forecast plot: history, forecast and quantiles by series and time.'),
  ...filesOf('feature_importance', 'feature_importance', 'Feature importance',
    `Shares of features${isTable ? '' : ' and groups of features'}, with their direction.`,
    'Importance, share, rank, direction and loss of fit by feature.'),
  ...filesOf('shap', 'shap_summary', `Contributions to the ${result}`,
    'Contributions of each feature, row by row, and some rows in detail.',
    'Contributions by feature: mean size, mean, deviation and quantiles.'),
  {
    name: 'shap_values.csv',
    analysis: 'shap',
    label: `Contributions to the ${result}, all rows`,
    format: 'csv',
    description: 'The contribution of each feature in each row that was explained.'
  },
  ...filesOf('feature_target_correlations', 'feature_target_correlations', 'Features and the target', isTable
    ? 'How each feature goes with the target.'
    : 'How each feature goes with the target, in differences beside levels.',
    `Measures of association with the target by feature, with p values${isTable ? '' : ' and best lag'}.`),
  ...filesOf('feature_feature_correlations', 'feature_feature_correlations', 'Features among each other',
    'How features go together, as a heat map with the redundant pairs.',
    'Measures of association of all pairs of features.'),
  ...filesOf('rolling_regression', 'rolling_regression', 'Coefficients over time',
    'Regressions in moving windows, by series and feature.',
    'Coefficients with their intervals by series, window and feature.')
]

/** The files of a forecast. A table has the same names, except for analyses that do not apply to it. */
export const artifactFiles: readonly KnownFile[] = artifactFilesOf({ result: 'forecast', isTable: false })
