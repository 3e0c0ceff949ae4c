// Line, Lines: a field of one line, and of several, of a form of inquiries.
import type { ReactNode } from 'react'
import { lengthOf } from '#contract/text/text-rule.ts'
import { FormField, type SchemaForm } from '#src/domain/forms/form.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'

/** Fields that every inquiry has. */
export const person = { name: '', email: '', text: '' }

interface PartProps<V extends typeof person> {
  of: SchemaForm<V>
  name: keyof V & string
  label: string
  hint?: string
}

type LineProps<V extends typeof person> = PartProps<V> & { type?: string; autoComplete?: string }

export function Line<V extends typeof person>({
  of,
  name,
  label,
  hint,
  type,
  autoComplete,
}: LineProps<V>): ReactNode {
  return (
    <FormField of={of} name={name}>
      {({ input, error }) => (
        <TextField
          {...input}
          label={label}
          hint={hint}
          error={error}
          type={type ?? 'text'}
          autoComplete={type === 'email' ? 'email' : (autoComplete ?? 'off')}
        />
      )}
    </FormField>
  )
}

export function Lines<V extends typeof person>({
  of,
  name,
  label,
  hint,
  max,
}: PartProps<V> & { max: number }): ReactNode {
  return (
    <FormField of={of} name={name}>
      {({ value, error, onChange, onBlur }) => (
        <Field label={label} hint={hint} error={error} count={{ now: lengthOf(String(value), max), max }}>
          <TextArea
            value={String(value)}
            onChange={(event) => (onChange as (next: string) => void)(event.target.value)}
            onBlur={onBlur}
          />
        </Field>
      )}
    </FormField>
  )
}
