// ReceiptForm: the addressee of a receipt, and issuing it.
import { useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { listPayments } from '#contract/payments/history.ts'
import { addressee, issueReceipt, type ReceiptView } from '#contract/payments/receipts.ts'
import { ApiFailure, call, isUnanswered } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { useOnline } from '#src/lib/online.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { useRecordsOnly } from './records-only.ts'
import { receiptQuery } from './purchases.ts'
import { receiptRefusal, receiptText as words } from './text.ts'

const schema = v.object({ addressee })

interface ReceiptFormProps {
  receipt: ReceiptView
  onIssued: () => void
}

export function ReceiptForm({ receipt, onIssued }: ReceiptFormProps) {
  const online = useOnline()
  const issue = useIssue(receipt.payment_id)
  const form = useSchemaForm({
    schema,
    defaults: { addressee: receipt.issued?.addressee ?? '' },
    submit: async (values) => {
      const refusal = await issue(values.addressee)
      if (refusal === undefined) onIssued()
      return refusal
    },
  })
  const { whole, ...shell } = form.shell
  return (
    <Form
      {...shell}
      whole={online ? whole : words.offline}
      action={receipt.issued ? words.reissue : words.issue}
      busyLabel={text.working}
    >
      <FormField of={form} name="addressee">
        {({ error, input }) => (
          <TextField
            label={words.addressee}
            hint={words.addresseeHint}
            error={error}
            autoComplete="off"
            {...input}
          />
        )}
      </FormField>
    </Form>
  )
}

/** @returns a function that issues the receipt, and returns why it did not */
function useIssue(paymentId: string) {
  const client = useQueryClient()
  const caller = useRecordsOnly()?.caller
  const { queryKey } = receiptQuery(paymentId, caller)
  return async (typed: string): Promise<string | undefined> => {
    try {
      const params = { payment_id: paymentId }
      client.setQueryData(
        queryKey,
        await (caller?.call ?? call)(issueReceipt, { params, body: { addressee: typed } }),
      )
    } catch (failure) {
      // It may be issued although the reply was lost.
      if (isUnanswered(failure)) void client.invalidateQueries({ queryKey, exact: true })
      const refusal = failure instanceof ApiFailure ? receiptRefusal[failure.code] : undefined
      if (refusal === undefined) throw failure
      return refusal
    }
    void client.invalidateQueries(queriesOf(listPayments))
    toast(words.issued, 'success')
    return undefined
  }
}
