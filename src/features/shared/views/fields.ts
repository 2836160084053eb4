import type { Field, FieldSection } from '../../../terminal/render/view.ts'
import { textAt } from './wording.ts'

/** Returns the fields as the only section of a card, without a heading. */
export function onlyFields(fields: readonly Field[]): readonly FieldSection[] {
  return [{ heading: null, fields }]
}

/** The error message in a response with `isSuccess: false`. */
export const ERROR_FIELD: Field = {
  label: 'Error',
  paths: ['errorMessage', 'isSuccess'],
  cell: (answer) => ({ text: textAt(answer, 'errorMessage'), tone: 'bad' }),
}
