import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { standardError } from '../../../src/platform/log/standard-error.ts'

t.test('lines that cannot be written are lost, and are counted once lines can be written again', (t) => {
  const path = join(t.testdir({}), 'log')
  const descriptor = openSync(path, 'a')
  const lost: number[] = []
  const destination = standardError((count) => lost.push(count), descriptor)
  destination.write('before\n')
  closeSync(descriptor)
  for (let at = 0; at < 20; at++) destination.write('meanwhile\n')
  t.strictSame(lost, [], 'nothing was written since')

  // The lowest free number is the one that was closed.
  t.equal(openSync(path, 'a'), descriptor)
  t.teardown(() => closeSync(descriptor))
  destination.write('after\n')
  destination.write('later\n')
  t.strictSame(lost, [20])
  t.equal(readFileSync(path, 'utf8'), 'before\nafter\nlater\n')
  t.end()
})
