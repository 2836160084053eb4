import type { Field, FieldSection } from '../../../terminal/render/view.ts'
import { textAt } from './wording.ts'

/** The sections of a card that is one list of lines. */
export function onlyFields(fields: readonly Field[]): readonly FieldSection[] {
  return [{ heading: null, fields }]
}

/** What an answer with `isSuccess: false` complains of. */
export const ERROR_FIELD: Field = {
  label: 'Error',
  paths: ['errorMessage', 'isSuccess'],
  cell: (answer) => ({ text: textAt(answer, 'errorMessage'), tone: 'bad' }),
}
