import t from 'tap'
import { JobWatchers } from '../../../src/services/jobs/job-watchers.ts'
import { until } from '../../support/until.ts'

t.test('the progress of a job is told at once and then so far apart, its changes at once', async (t) => {
  const watchers = new JobWatchers((error) => t.error(error), 60_000)
  let told = 0
  watchers.subscribe('j1', () => {
    told++
  }, { ofProgress: true })
  for (let news = 0; news < 20; news++) {
    watchers.notifyProgress('j1')
    await new Promise(setImmediate)
  }
  t.equal(told, 1)
  watchers.notify('j1')
  await until('the change', () => told === 2)
})

t.test('what came meanwhile is told after that', async (t) => {
  const watchers = new JobWatchers((error) => t.error(error), 20)
  // The timers of the watchers keep no process alive.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(() => clearInterval(alive))
  let told = 0
  watchers.subscribe('j1', () => {
    told++
  }, { ofProgress: true })
  watchers.notifyProgress('j1')
  watchers.notifyProgress('j1')
  await until('the last progress', () => told === 2)
})
