// SecondStep: the code of the second factor, after a right password at sign-in.
import * as v from 'valibot'
import { secondFactorCode } from '#contract/accounts/second-factor-code.ts'
import { signIn } from '#contract/accounts/sign-in.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { signInBy } from '#src/domain/session/session.ts'
import { sessionText } from '#src/domain/session/text.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { secondStepText as words } from './second-step-text.ts'

const schema = v.object({ code: secondFactorCode })

/** @param body what was sent with the right password */
export function SecondStep({ body }: { body: BodyOf<typeof signIn> }) {
  const form = useSchemaForm({
    schema,
    defaults: { code: '' },
    async submit({ code }) {
      return (await signInBy(signIn, { body: { ...body, code } })) ? undefined : sessionText.notSignedIn
    },
  })
  return (
    <Form {...form.shell} action={sessionText.signIn} busyLabel={text.working}>
      <output className="block">{words.why}</output>
      <FormField of={form} name="code">
        {({ error, input }) => (
          <TextField
            {...input}
            label={words.code}
            hint={words.hint}
            error={error}
            autoCapitalize="none"
            autoComplete="one-time-code"
            ref={focusOnce}
          />
        )}
      </FormField>
    </Form>
  )
}

/** The field takes the place of the password, which had the focus. */
const focusOnce = (input: HTMLInputElement | null): void => input?.focus()
