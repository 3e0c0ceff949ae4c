// Forms: one small form for every rule, from the table of the tests.
import { ruleCases } from '#contract/testing/rule-cases.ts'
import { labelOf, type RuleCases } from '#contract/testing/rule-case.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { Shelf } from '#src/ui/gallery/shelf.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

export function Forms() {
  return (
    <section aria-label="forms" className="mx-auto w-full max-w-400 px-4 py-6">
      <Shelf name="Forms">
        {ruleCases.map((it) => (
          <div key={labelOf(it)} className="w-72">
            <RuleForm {...it} />
          </div>
        ))}
      </Shelf>
    </section>
  )
}

const alone = {}

/** In several lines: the values hold line ends, which a single line would drop unseen. */
function RuleForm({ rule, of, schema, beside = alone, good }: RuleCases) {
  const label = labelOf(of === undefined ? { rule } : { rule, of })
  const form = useSchemaForm({
    schema,
    defaults: { ...beside, value: '' },
    submit: async (values) => toast(JSON.stringify(values), 'success'),
  })
  return (
    <Form {...form.shell} action="送信" busyLabel="送信中">
      <FormField of={form} name="value">
        {({ value, error, onChange, onBlur }) => (
          <Field label={label} hint={good[0]?.[0]} error={error}>
            <TextArea rows={1} value={value} onBlur={onBlur} onChange={(it) => onChange(it.target.value)} />
          </Field>
        )}
      </FormField>
    </Form>
  )
}
