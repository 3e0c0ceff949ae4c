// SignInForm: signs in by email and password.
import { lazy, Suspense, useState } from 'react'
import type { BodyOf } from '#contract/endpoint.ts'
import { signIn, signInBody } from '#contract/accounts/sign-in.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { signInBy } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { sessionText as words } from '#src/domain/session/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'

const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }))

/**
 * @param resetToken a password reset that this tab has proven: it continues in the session (specification section 7)
 */
export function SignInForm({ resetToken }: { resetToken: string | undefined }) {
  const [first, setFirst] = useState<BodyOf<typeof signIn>>()
  const form = useSchemaForm({
    schema: signInBody,
    defaults: { email: '', password: '' },
    // The route guard opens the requested page.
    async submit(credentials) {
      const body = { ...credentials, password_reset_token: resetToken }
      try {
        return (await signInBy(signIn, { body })) ? undefined : words.notSignedIn
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.code !== 'second_factor_required') throw failure
        return setFirst(body)
      }
    },
  })
  if (first)
    return (
      <Suspense>
        <SecondStep body={first} />
      </Suspense>
    )
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
