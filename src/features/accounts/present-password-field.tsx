// PresentPasswordField: the current password, for validation.
import { FormField, type SchemaForm } from '#src/domain/forms/form.tsx'
import { sessionText as words } from '#src/domain/session/text.ts'
import { PasswordField } from '#src/ui/fields/password-field.tsx'

export function PresentPasswordField<V extends { password: string }>({ of }: { of: SchemaForm<V> }) {
  return (
    <FormField of={of} name="password">
      {({ error, input }) => (
        <PasswordField
          label={words.password}
          error={error}
          showLabel={words.showPassword}
          hideLabel={words.hidePassword}
          input={{ ...input, autoComplete: 'current-password' }}
        />
      )}
    </FormField>
  )
}
