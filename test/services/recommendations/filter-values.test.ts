import t from 'tap'
import { filterText, filterValues } from '../../../src/services/recommendations/filter-values.ts'

t.test('values of a filter come back as they were', async (t) => {
  for (const values of [['North'], ['North', 'South'], ['s,1', 's,2'], ['a, b', 'c'], ['[x]', 'y'], [' padded', 'z'], [
    '"quoted"',
    "it's"
  ]]) {
    t.strictSame(filterValues(filterText(values)), values)
  }
  t.equal(filterText(['North', 'South']), 'North,South', 'plain where it can be')
})

t.test('what people write', async (t) => {
  t.strictSame(filterValues('North, South'), ['North', 'South'])
  t.strictSame(filterValues('["s,1", 7]'), ['s,1', '7'])
  t.strictSame(filterValues('[broken, list'), ['[broken', 'list'])
  t.strictSame(filterValues('[1, 2], 3'), ['[1', '2]', '3'])
  t.strictSame(filterValues('[]'), ['[]'])
})
