// TextField: one line of text with its label and notes.
import type { ComponentProps } from 'react'
import { Field, TextInput, type FieldProps } from './field.tsx'

type TextFieldProps = Omit<FieldProps, 'children' | 'moreNotes'> &
  Omit<ComponentProps<typeof TextInput>, 'className'>

export function TextField({ label, hint, error, count, optional, className, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, count, optional, className }}>
      <TextInput {...input} />
    </Field>
  )
}
