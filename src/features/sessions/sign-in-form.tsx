// SignInForm: email and password; the session that comes back is the viewer's.
import { sessionText } from '#src/lib/text-session.ts'
import { useForm } from '@tanstack/react-form'
import { signIn, signInBody } from '#contract/session.ts'
import { call } from '#src/lib/api.ts'
import { errorOf, inputOf, submit, useRefusal } from '#src/lib/form.ts'
import { viewer } from '#src/lib/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/field.tsx'
import { PasswordField } from '#src/ui/password-field.tsx'
import { FormError } from './form-error.tsx'
import { text } from '#src/lib/text.ts'

const words = sessionText

function useSignIn() {
  const refusal = useRefusal()
  const form = useForm({
    defaultValues: { email: '', password: '' },
    validators: { onChange: signInBody },
    onSubmit: async ({ value }) => {
      refusal.clear()
      try {
        // The guard takes a signed-in person on to the page they wanted.
        if (!(await viewer.signedIn(await call(signIn, { body: value })))) refusal.say(words.notSignedIn)
      } catch (failure) {
        refusal.take(failure)
      }
    },
  })
  return { form, refusal }
}

export function SignInForm() {
  const { form, refusal } = useSignIn()
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(form, event.currentTarget)
      }}
    >
      <FormError sentence={refusal.whole} />
      <form.Field name="email">
        {(field) => (
          <Field label={words.email} error={errorOf(field, refusal)}>
            <TextInput {...inputOf(field, refusal)} type="email" inputMode="email" autoComplete="username" />
          </Field>
        )}
      </form.Field>
      <form.Field name="password">
        {(field) => (
          <PasswordField
            label={words.password}
            error={errorOf(field, refusal)}
            showLabel={words.showPassword}
            hideLabel={words.hidePassword}
            input={{ ...inputOf(field, refusal), autoComplete: 'current-password' }}
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(busy) => (
          <Button type="submit" look="seal" wide busy={busy} busyLabel={text.working} className="mt-2">
            {words.signIn}
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}
