// NewPasswordField: a new password, with its conditions checked during typing.
import { Check, Circle } from 'lucide-react'
import { useId } from 'react'
import { passwordConditions } from '#contract/rules.ts'
import { FormField, type SchemaForm } from '#src/domain/forms/form.tsx'
import { accountText } from './text.ts'
import { sessionText as words } from '#src/domain/session/text.ts'
import { cx } from '#src/ui/cx.ts'
import { PasswordField } from '#src/ui/fields/password-field.tsx'

interface NewPasswordFieldProps<V extends Record<string, string | boolean>> {
  of: SchemaForm<V>
  name: keyof V & string
  label: string
}

export function NewPasswordField<V extends Record<string, string | boolean>>(
  props: NewPasswordFieldProps<V>,
) {
  const id = useId()
  return (
    <FormField of={props.of} name={props.name}>
      {({ error, input }) => (
        <div>
          <PasswordField
            label={props.label}
            error={error}
            showLabel={words.showPassword}
            hideLabel={words.hidePassword}
            input={{ ...input, autoComplete: 'new-password' }}
            moreNotes={id}
          />
          <Conditions id={id} typed={input.value} />
        </div>
      )}
    </FormField>
  )
}

const conditions = Object.entries(passwordConditions) as [
  keyof typeof passwordConditions,
  (it: string) => boolean,
][]

function Conditions({ id, typed }: { id: string; typed: string }) {
  const conditionText = accountText.conditions
  return (
    <ul id={id} aria-label={conditionText.label} className="mt-2 flex flex-col gap-1 text-sm">
      {conditions.map(([name, holds]) => {
        const met = holds(typed)
        const Mark = met ? Check : Circle
        return (
          <li key={name} className={cx('flex gap-1.5', met ? 'text-good-text' : 'text-soft')}>
            <Mark aria-hidden size={16} className="mt-0.5 shrink-0" />
            <span>
              {conditionText[name]}
              {met && <span className="sr-only">{conditionText.met}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The password repeated, to find typing errors. */
export function RepeatPasswordField<V extends Record<string, string | boolean>>(
  props: NewPasswordFieldProps<V>,
) {
  return (
    <FormField of={props.of} name={props.name}>
      {({ error, input }) => (
        <PasswordField
          label={props.label}
          error={error}
          showLabel={accountText.showRepeated}
          hideLabel={accountText.hideRepeated}
          input={{ ...input, autoComplete: 'new-password' }}
        />
      )}
    </FormField>
  )
}
