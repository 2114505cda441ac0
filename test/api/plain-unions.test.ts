import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import t from 'tap'
import { Type } from 'typebox'
import { withPlainUnions } from '../../src/api/plain-unions.ts'

const state = Type.Union([Type.Literal('a'), Type.Literal('b')])
const shared = {
  State: state,
  Part: Type.Object({ state: Type.Ref('State'), count: Type.Integer() }, { $id: 'Part' })
}
const schema = Type.Object({
  state,
  maybe: Type.Union([state, Type.Null()]),
  only: Type.Union([Type.Literal('a'), Type.Null()]),
  part: Type.Union([Type.Ref('Part'), Type.Null()]),
  parts: Type.Union([Type.Array(Type.Ref('Part')), Type.Null()]),
  number: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  mixed: Type.Union([Type.String(), Type.Array(Type.Integer()), Type.Null()])
})

t.test('a schema with fewer unions writes the same answers', async (t) => {
  const plain = withPlainUnions(schema, (name) => shared[name as keyof typeof shared]) as typeof schema
  t.strictSame([...JSON.stringify(plain).matchAll(/"anyOf"/g)].length, 1, 'what differs in kind stays a union')
  const [whole, fewer] = [schema, plain].map((one) => SerializerSelector()(shared, {})({ schema: one } as never))
  const part = { state: 'b', count: 1 }
  for (const value of [
    { state: 'a', maybe: 'b', only: 'a', part, parts: [part, part], number: 0.5, mixed: 'text' },
    { state: 'b', maybe: null, only: null, part: null, parts: null, number: null, mixed: [1, 2] },
    { state: 'b', maybe: 'a', only: null, part: { ...part, unknown: 1 }, parts: [], mixed: null }
  ]) t.equal(fewer?.(value), whole?.(value))
})
