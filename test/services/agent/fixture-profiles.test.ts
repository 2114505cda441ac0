import { join } from 'node:path'
import t from 'tap'
import { createTask, profileData } from '../../../src/engine/index.ts'
import { agentProfile, agentSchemas } from '../../support/agent-prompts.ts'
import { testLimits } from '../../support/job-message.ts'

/*
 * The prompts of the tests are read against profiles that the engine makes of the files beside them: this keeps the
 * two from drifting apart.
 */

const { maxCsvBytes: _csv, maxForecastPoints: _points, maxOutputBytes: _bytes, ...limits } = testLimits

for (const schema of agentSchemas) {
  t.test(`${schema}.profile.json is what the engine finds in ${schema}.csv`, async (t) => {
    const options = {
      inputPaths: [join('test', 'fixtures', 'agent', `${schema}.csv`)],
      format: 'csv' as const,
      compression: null,
      columns: {},
      limits,
      threads: 2
    }
    t.strictSame(JSON.parse(JSON.stringify(await profileData(options, createTask()))), agentProfile(schema))
  })
}
