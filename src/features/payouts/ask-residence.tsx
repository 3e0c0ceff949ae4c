// AskResidence: asks where a creator lives whose account was stored before the question.
import { useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { getBankAccount } from '#contract/payouts/bank-account.ts'
import { getPayouts } from '#contract/payouts/payouts.ts'
import { declareResidence, residenceChoice } from '#contract/payouts/residence.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Form } from '#src/ui/fields/form.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { ResidenceChoice } from './residence-choice.tsx'
import { residenceText } from './text.ts'

const words = residenceText.ask

export function AskResidence() {
  const client = useQueryClient()
  /** Both pages ask, and the history shows what is held. */
  const readAgain = () =>
    Promise.all([getBankAccount, getPayouts].map((it) => client.invalidateQueries(queriesOf(it))))
  const form = useSchemaForm({
    schema: v.object({ residence: residenceChoice }),
    defaults: { residence: '' },
    submit: async (body) => {
      try {
        await call(declareResidence, { body })
        toast(words.done, 'success')
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.code !== 'conflict') throw failure
        toast(words.conflict, 'error')
      }
      await readAgain()
    },
  })
  return (
    <section aria-labelledby="ask-residence" className="flex flex-col gap-3">
      <h2 id="ask-residence" className="font-semibold">
        {words.title}
      </h2>
      <p className="text-sm text-soft">{words.text}</p>
      <Form {...form.shell} action={words.action} busyLabel={text.working}>
        <FormField of={form} name="residence">
          {({ value, error, onChange }) => (
            <ResidenceChoice value={value} error={error} onChange={onChange} />
          )}
        </FormField>
      </Form>
    </section>
  )
}
