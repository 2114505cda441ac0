import { Type, type TObject, type TProperties, type TSchemaOptions } from 'typebox'

/**
 * An object schema that refuses unknown fields and whose fields with a default may be left out. Its static type is that
 * after the defaults are filled in. TypeBox alone would list such fields as required, also in the API description, and
 * would report them as missing whenever another field of the same block is wrong.
 */
export function closedObject<T extends TProperties> (properties: T, options: TSchemaOptions = {}): TObject<T> {
  const object = Type.Object(properties, { ...options, additionalProperties: false })
  const required = (object as unknown as { required?: string[] }).required ?? []
  return Object.assign(object, { required: required.filter((name) => !('default' in (properties[name] as object))) })
}
