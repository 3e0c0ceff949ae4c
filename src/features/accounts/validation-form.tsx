// ValidationForm: the current password, before a sensitive change.
import { useState } from 'react'
import * as v from 'valibot'
import { presentPassword, validatePassword } from '#contract/accounts/password.ts'
import { secondFactorCode } from '#contract/accounts/second-factor-code.ts'
import { orBlank } from '#contract/rules.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { PresentPasswordField } from './present-password-field.tsx'
import { UsernameHint } from './username-hint.tsx'

const schema = v.object({ ...presentPassword.entries, code: orBlank(secondFactorCode) })
const words = accountText.validate

interface ValidationFormProps {
  email: string
  onValidated: () => Promise<void>
}

/** The code of the second factor is required after a right password, where the account has one. */
export function ValidationForm({ email, onValidated }: ValidationFormProps) {
  const [asksCode, setAsksCode] = useState(false)
  const form = useSchemaForm({
    schema,
    defaults: { password: '', code: '' },
    async submit({ password, code }) {
      try {
        await call(validatePassword, { body: code === '' ? { password } : { password, code } })
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.code !== 'second_factor_required') throw failure
        setAsksCode(true)
        return words.codeNeeded
      }
      return onValidated()
    },
  })
  return (
    <Form {...form.shell} action={words.action} busyLabel={text.working}>
      <p>{words.why}</p>
      <UsernameHint email={email} />
      <PresentPasswordField of={form} />
      {asksCode && (
        <FormField of={form} name="code">
          {({ error, input }) => (
            <TextField
              {...input}
              label={words.code}
              hint={words.codeHint}
              error={error}
              autoCapitalize="none"
              autoComplete="one-time-code"
            />
          )}
        </FormField>
      )}
    </Form>
  )
}
