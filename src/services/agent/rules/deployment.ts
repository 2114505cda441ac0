import type { DeploymentTarget } from '../../../domain/intent-values.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const rhythm =
  'minute|quarterhour|halfhour|hour|day|businessday|night|morning|evening|week|month|quarter|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays'
const adverb =
  'hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually|regularly|periodically|automatically'
const again = 'refresh|refreshed|refreshes|refreshing|update|updated|updates|updating|retrain|retrained|rerun|re ' +
  'run|run|runs|running|repeat|repeated|recompute|recalculate|redo|regenerate|deliver|delivered|send|sent|schedule|scheduled|produce|produced|publish|published|mail|automate|automated|again'
const store = 'bucket|s3|database|db|warehouse|data lake|storage|object storage|snowflake|bigquery|data ' +
  'warehouse|store|connection|postgres|lake|datalake|blob'
const ways: [DeploymentTarget, string][] = [
  ['one_off',
    'one off|oneoff|one time(?: only)?|1 time|one shot|ad hoc|adhoc|just once|only once|just this once|single ' +
    'run|run once|once only'],
  ['scheduled',
    `(?:${again})(?: (?:it|this|them|the|that|forecast|prediction|model|to|me|us|numbers|job|a|new|be)){0,4} ` +
    '(?:every|each|once a|once per|per) (?:(?:\\d+|other|first|second|third|single) ' +
    `)?(?:${rhythm})|(?:${again})(?: (?:it|this|them|the|forecast|prediction|model|to|me|us|a|new)){0,4} ` +
    `(?:${adverb}|on (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|a schedule|a regular ` +
    `basis|a (?:daily|weekly|monthly) basis))|(?:${adverb}) ` +
    '(?:refresh|refreshes|refreshed|update|updates|updated|run|runs|retraining|retrain|schedule|delivery|rerun|job|batch|report)|(?:every|each) ' +
    `(?:${rhythm}) (?:(?:at|in) \\S+ )?(?:we|i|the team|automatically|again)|(?:new|fresh) ` +
    `(?:forecast|prediction)(?: \\S+)? (?:every|each) (?:\\d+ )?(?:${rhythm})|on the ` +
    '(?:first|last|1|2|15|second|third) (?:(?:working |business)?(?:day|monday|tuesday|wednesday|thursday|friday) ' +
    ')?of (?:every|each) (?:week|month|quarter|year)|on a (?:regular ' +
    ')?schedule|scheduled|recurring|nightly|cron(?:job| job)?|(?:needed|required|due) (?:every|each) ' +
    `(?:${rhythm})|automatically (?:every|each) (?:${rhythm})|(?:need|needs|want|get|have|like|expect) ` +
    '(?:this|it|them|that|the forecast|a forecast|one|forecast) (?:again )?(?:every|each) ' +
    `(?:${rhythm})|(?:every|each) ` +
    '(?:night|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)'],
  ['write_back',
    '(?:write|written|writing|push|pushed|pushing|save|saved|saving|store|stored|storing|export|exported|exporting|drop|dropped|place|placed|deposit|deposited|append|appended|insert|inserted|sync|synced|feed|fed|load|loaded|upload|uploaded|send|sent|put|deliver|delivered|land|dump|copy)(?: ' +
    '(?:it|them|the|this|results?|forecast|prediction|output|numbers|figures|rows|back|everything|final|all|value)){0,5} ' +
    '(?:back )?(?:to|into|in|on) (?:(?:our|the|my|your|a|an|same|own|customer|production|company) ' +
    `){0,3}(?:${store})|write back|written back|writeback|write(?: ` +
    '(?:it|them|the|results?|forecast|prediction|output|value)){0,3} back'],
  ['api', '(?:via|through|over|by|from|using|as|behind|expose|exposed|with|serve|in|to) ' +
    '(?:(?:an|a|the|our|your|as|it|rest|json|http|web|public|internal) ){0,4}(?:api|endpoint|rest|web ' +
    'service|webservice|https?|webhook|microservice)|api ' +
    '(?:call|access|endpoint|integration|request|consumer)s?|(?:let|have) (?:the|our|an|your) ' +
    'api|(?:query|call|fetch|poll) ~(?:api|endpoint)']
]
const order: DeploymentTarget[] = ['write_back', 'scheduled', 'api', 'one_off']
const pattern = phrase(ways.map(([name, words]) => `(?<${name}>${words})`).join('|'))

/** `refresh every Monday`, `through an API`, `write it back to our bucket`, `one-off`. */
export const deploymentRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const value = order.find((name) => groups[name] !== undefined) as DeploymentTarget
    if (/ (?:no|not|dont|without|isnt|never|no need for|no need to) (?:a |an |any )?$/.test(
      text.keys(from - 4, from)
    )) findings.push({ field: 'none', value: null, from, to, weight: 0.8 })
    else findings.push({ field: 'deployment_target', value, from, to, weight: 1 })
  }
  return findings
}
