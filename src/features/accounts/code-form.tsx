// CodeForm: a form for the six digits of an email.
import * as v from 'valibot'
import { mailCode } from '#contract/accounts/mail-code.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'

const schema = v.object({ code: mailCode })

interface CodeFormProps {
  action: string
  onCode: (code: string) => Promise<void>
}

export function CodeForm({ action, onCode }: CodeFormProps) {
  const form = useSchemaForm({
    schema,
    defaults: { code: '' },
    submit: ({ code }) => onCode(code),
    places: { code_wrong: 'code', code_expired: 'code' },
  })
  return (
    <Form {...form.shell} action={action} busyLabel={text.working}>
      <FormField of={form} name="code">
        {({ error, input }) => (
          <TextField
            {...input}
            label={accountText.forgot.code}
            error={error}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
      </FormField>
    </Form>
  )
}
