// RemoveAccount: removes the bank account, after the password.
import { useQueryClient } from '@tanstack/react-query'
import { presentPassword, validatePassword } from '#contract/accounts/password.ts'
import { removeBankAccount } from '#contract/payouts/bank-account.ts'
import { call } from '#src/domain/api/api.ts'
import { useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { bankAccountQuery } from './bank-account.ts'
import { PasswordInput } from './bank-account-fields.tsx'
import { bankAccountText } from './text.ts'

const words = bankAccountText.remove

export function RemoveAccount({ onRemoved, onCancel }: { onRemoved: () => void; onCancel: () => void }) {
  const client = useQueryClient()
  const form = useSchemaForm({
    schema: presentPassword,
    defaults: { password: '' },
    submit: async (body) => {
      await call(validatePassword, { body })
      client.setQueryData(bankAccountQuery.queryKey, await call(removeBankAccount, {}))
      toast(words.removed, 'success')
      onRemoved()
    },
  })
  return (
    <section aria-label={words.title} className="flex flex-col gap-3">
      <h2 data-mode-focus tabIndex={-1} className="font-semibold outline-none">
        {words.title}
      </h2>
      <p>{words.text}</p>
      <Form {...form.shell} action={words.action} busyLabel={text.working}>
        <PasswordInput form={form} />
      </Form>
      <Button look="quiet" wide onClick={onCancel}>
        {words.cancel}
      </Button>
    </section>
  )
}
