// ValidationForm: the password once more, before something that matters.
import { presentPassword, validatePassword } from '#contract/password.ts'
import { call } from '#src/lib/api.ts'
import { FormField, useSchemaForm } from '#src/lib/form.tsx'
import { accountText } from '#src/lib/text-account.ts'
import { text } from '#src/lib/text.ts'
import { sessionText } from '#src/lib/text-session.ts'
import { Form } from '#src/ui/form.tsx'
import { PasswordField } from '#src/ui/password-field.tsx'
import { UsernameHint } from './username-hint.tsx'

interface ValidationFormProps {
  email: string
  onValidated: () => Promise<void>
}

export function ValidationForm({ email, onValidated }: ValidationFormProps) {
  const form = useSchemaForm({
    schema: presentPassword,
    defaults: { password: '' },
    async submit(body) {
      await call(validatePassword, { body })
      await onValidated()
    },
  })
  return (
    <Form {...form.shell} act={accountText.validate.act} busyLabel={text.working}>
      <p>{accountText.validate.why}</p>
      <UsernameHint email={email} />
      <FormField of={form} name="password">
        {({ error, input }) => (
          <PasswordField
            label={sessionText.password}
            error={error}
            showLabel={sessionText.showPassword}
            hideLabel={sessionText.hidePassword}
            input={{ ...input, autoComplete: 'current-password' }}
          />
        )}
      </FormField>
    </Form>
  )
}
