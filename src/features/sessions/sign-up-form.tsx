// SignUpForm: email, password, name, birth date and consent; a letter to that address follows.
import { sessionText } from '#src/lib/text-session.ts'
import { useForm } from '@tanstack/react-form'
import * as v from 'valibot'
import { MIN_AGE } from '#contract/limits.ts'
import { register } from '#contract/registration.ts'
import { signUpBody } from '#contract/session.ts'
import { call } from '#src/lib/api.ts'
import { errorOf, inputOf, submit, useRefusal } from '#src/lib/form.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/check.tsx'
import { DateField } from '#src/ui/date-field.tsx'
import { Field, TextInput } from '#src/ui/field.tsx'
import { PasswordField } from '#src/ui/password-field.tsx'
import { FormError } from './form-error.tsx'
import { text } from '#src/lib/text.ts'

const words = sessionText
const thisYear = new Date().getFullYear()

/** The same checks as the server's, over a box that starts unticked. */
const values = v.object({
  ...signUpBody.entries,
  terms: v.pipe(v.boolean(), v.literal(true, 'consent')),
})

function useSignUp(onAsked: () => void) {
  const refusal = useRefusal()
  const form = useForm({
    defaultValues: { email: '', password: '', name: '', birth_date: '', terms: false },
    validators: { onChange: values },
    onSubmit: async ({ value }) => {
      refusal.clear()
      try {
        await call(register, { body: { ...value, terms: true } })
        onAsked()
      } catch (failure) {
        refusal.take(failure)
      }
    },
  })
  return { form, refusal }
}

type Form = ReturnType<typeof useSignUp>

export function SignUpForm({ onAsked }: { onAsked: () => void }) {
  const it = useSignUp(onAsked)
  const { form, refusal } = it
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(form, event.currentTarget)
      }}
    >
      <FormError sentence={refusal.whole} />
      <Account {...it} />
      <Person {...it} />
      <form.Field name="terms">
        {(field) => (
          <Check
            label={words.terms}
            checked={field.state.value}
            error={errorOf(field, refusal)}
            onBlur={field.handleBlur}
            onChange={field.handleChange}
          />
        )}
      </form.Field>
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(busy) => (
          <Button type="submit" look="seal" wide busy={busy} busyLabel={text.working}>
            {words.signUpAct}
          </Button>
        )}
      </form.Subscribe>
    </form>
  )
}

function Account({ form, refusal }: Form) {
  return (
    <>
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
            hint={words.passwordHint}
            error={errorOf(field, refusal)}
            showLabel={words.showPassword}
            hideLabel={words.hidePassword}
            input={{ ...inputOf(field, refusal), autoComplete: 'new-password' }}
          />
        )}
      </form.Field>
    </>
  )
}

function Person({ form, refusal }: Form) {
  return (
    <>
      <form.Field name="name">
        {(field) => (
          <Field label={words.name} hint={words.nameHint} error={errorOf(field, refusal)}>
            <TextInput {...inputOf(field, refusal)} autoComplete="nickname" />
          </Field>
        )}
      </form.Field>
      <form.Field name="birth_date">
        {(field) => (
          <DateField
            label={words.birth}
            hint={words.birthHint}
            error={errorOf(field, refusal)}
            value={field.state.value}
            onBlur={field.handleBlur}
            onChange={(day) => {
              refusal.changed('birth_date')
              field.handleChange(day)
            }}
            years={{ from: thisYear - 110, to: thisYear - MIN_AGE }}
            words={{ year: words.year, month: words.month, day: words.day }}
            autoComplete="bday"
          />
        )}
      </form.Field>
    </>
  )
}
