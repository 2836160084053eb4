import type { Field, FieldSection } from '../../../terminal/render/view.ts'

/** The sections of a card that is one list of lines. */
export function onlyFields(fields: readonly Field[]): readonly FieldSection[] {
  return [{ heading: null, fields }]
}
