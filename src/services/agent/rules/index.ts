import { anomalyRule } from './anomalies.ts'
import { backReferenceRule } from './back-references.ts'
import { backtestRule } from './backtest.ts'
import { calendarBoundRule } from './calendar-bounds.ts'
import { combiningRule } from './combining.ts'
import { comparisonRule } from './comparisons.ts'
import { constraintRule } from './constraints.ts'
import { covariateRule } from './covariates.ts'
import { deploymentRule } from './deployment.ts'
import { driverWordRule } from './driver-words.ts'
import { durationRule } from './durations.ts'
import { ellipticLengthRule } from './elliptic-lengths.ts'
import { fiscalYearRule } from './fiscal-years.ts'
import { foreignLengthRule } from './foreign-lengths.ts'
import { grandTotalRule } from './grand-total.ts'
import { granularityRule } from './granularity.ts'
import { groupingRule } from './grouping.ts'
import { holidayPlaceRule } from './holiday-places.ts'
import { intervalRule } from './intervals.ts'
import { markedRowsRule } from './marked-rows.ts'
import { metricRule } from './metric.ts'
import { missingDataRule } from './missing-data.ts'
import { numberedValueRule } from './numbered-values.ts'
import type { Rule } from './rule.ts'
import { seasonalityRule } from './seasonality.ts'
import { seriesNamedRule } from './series-named.ts'
import { shapedValueRule } from './shaped-values.ts'
import { statementRule } from './statements.ts'
import { summedUpRule } from './summed-up.ts'
import { targetRule } from './target.ts'
import { timeColumnRule } from './time-column.ts'
import { trainingWindowRule } from './training-window.ts'
import { unknownNameRule } from './unknown-names.ts'
import { unplacedTargetRule } from './unplaced-target.ts'
import { unusableTargetRule } from './unusable-target.ts'
import { valueFilterRule } from './value-filters.ts'
import { valueTargetRule } from './value-targets.ts'

/** In no order that matters. */
export const rules: readonly Rule[] = [
  durationRule,
  ellipticLengthRule,
  calendarBoundRule,
  backReferenceRule,
  trainingWindowRule,
  granularityRule,
  targetRule,
  timeColumnRule,
  groupingRule,
  grandTotalRule,
  valueFilterRule,
  numberedValueRule,
  unknownNameRule,
  comparisonRule,
  covariateRule,
  statementRule,
  unusableTargetRule,
  unplacedTargetRule,
  valueTargetRule,
  shapedValueRule,
  summedUpRule,
  markedRowsRule,
  foreignLengthRule,
  fiscalYearRule,
  driverWordRule,
  holidayPlaceRule,
  seriesNamedRule,
  metricRule,
  intervalRule,
  backtestRule,
  seasonalityRule,
  missingDataRule,
  anomalyRule,
  deploymentRule,
  constraintRule,
  combiningRule
]
