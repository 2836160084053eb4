import type { Field, FieldSection } from '../../../terminal/render/view.ts'
import { textAt } from './wording.ts'

/** Returns the sections of a card that consists of a single list of lines without a heading. */
export function onlyFields(fields: readonly Field[]): readonly FieldSection[] {
  return [{ heading: null, fields }]
}

/** The error message in a response with `isSuccess: false`. */
export const ERROR_FIELD: Field = {
  label: 'Error',
  paths: ['errorMessage', 'isSuccess'],
  cell: (answer) => ({ text: textAt(answer, 'errorMessage'), tone: 'bad' }),
}
