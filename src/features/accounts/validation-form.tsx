// ValidationForm: the current password, before a sensitive change.
import { presentPassword, validatePassword } from '#contract/accounts/password.ts'
import { call } from '#src/domain/api/api.ts'
import { useSchemaForm } from '#src/domain/forms/form.tsx'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { PresentPasswordField } from './present-password-field.tsx'
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
    <Form {...form.shell} action={accountText.validate.action} busyLabel={text.working}>
      <p>{accountText.validate.why}</p>
      <UsernameHint email={email} />
      <PresentPasswordField of={form} />
    </Form>
  )
}
