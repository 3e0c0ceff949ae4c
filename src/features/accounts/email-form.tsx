// EmailForm: a form for the email address that receives a code.
import * as v from 'valibot'
import { email } from '#contract/rules.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'

const schema = v.object({ email })

interface EmailFormProps {
  label: string
  hint?: string
  action: string
  /** `username` for the address of the account. */
  autoComplete: 'username' | 'email'
  onSend: (email: string) => Promise<void>
}

export function EmailForm({ label, hint, action, autoComplete, onSend }: EmailFormProps) {
  const form = useSchemaForm({ schema, defaults: { email: '' }, submit: (it) => onSend(it.email) })
  return (
    <Form {...form.shell} action={action} busyLabel={text.working}>
      <FormField of={form} name="email">
        {({ error, input }) => (
          <TextField
            {...input}
            label={label}
            hint={hint}
            error={error}
            type="email"
            inputMode="email"
            autoComplete={autoComplete}
          />
        )}
      </FormField>
    </Form>
  )
}
