// NewPasswordForm: a new password, twice.
import * as v from 'valibot'
import { password, repeatPassword, required } from '#contract/rules.ts'
import { useSchemaForm } from '#src/domain/forms/form.tsx'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { NewPasswordField, RepeatPasswordField } from './new-password-field.tsx'
import { UsernameHint } from './username-hint.tsx'

const schema = v.pipe(
  v.object({ password, password_repeat: required }),
  repeatPassword('password', 'password_repeat'),
)

interface NewPasswordFormProps {
  /** Email of the account, for the password manager. */
  email: string | undefined
  /** Called with the password. @returns a sentence to show, if any */
  onPassword: (password: string) => Promise<string | void>
}

export function NewPasswordForm({ email, onPassword }: NewPasswordFormProps) {
  const form = useSchemaForm({
    schema,
    defaults: { password: '', password_repeat: '' },
    submit: (it) => onPassword(it.password),
  })
  return (
    <Form {...form.shell} action={accountText.forgot.change} busyLabel={text.working}>
      <UsernameHint email={email} />
      <NewPasswordField of={form} name="password" label={accountText.forgot.password} />
      <RepeatPasswordField of={form} name="password_repeat" label={accountText.forgot.repeat} />
    </Form>
  )
}
