// SignInForm: signs in by email and password.
import { signIn, signInBody } from '#contract/accounts/sign-in.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { signInBy } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { sessionText as words } from '#src/domain/session/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'

/**
 * @param resetToken a password reset that this tab has proven: it continues in the session (specification section 7)
 */
export function SignInForm({ resetToken }: { resetToken: string | undefined }) {
  const form = useSchemaForm({
    schema: signInBody,
    defaults: { email: '', password: '' },
    // The route guard opens the requested page.
    async submit(credentials) {
      const body = { ...credentials, password_reset_token: resetToken }
      return (await signInBy(signIn, { body })) ? undefined : words.notSignedIn
    },
  })
  return (
    <Form {...form.shell} action={words.signIn} busyLabel={text.working}>
      <FormField of={form} name="email">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.email}
            error={error}
            type="email"
            inputMode="email"
            autoComplete="username webauthn"
          />
        )}
      </FormField>
      <FormField of={form} name="password">
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
    </Form>
  )
}
