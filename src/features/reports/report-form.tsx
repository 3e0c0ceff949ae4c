// ReportForm: the reason and the details of a report.
import * as v from 'valibot'
import type { BodyOf } from '#contract/endpoint.ts'
import { MAX_REPORT } from '#contract/limits.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { reportBody, reportReason, reportReasons, type sendReport } from '#contract/posts/reports.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { reportText as words } from './text.ts'
import { Field, FieldNotes, TextArea } from '#src/ui/fields/field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import type { ReportRequest } from './report-sheet.tsx'

/** Share of the limit from which the count is shown. */
const NEAR = 0.8

const cards = reportReasons.map((value) => ({ value, ...words.reasons[value] }))

const schema = v.object({
  // No reason is preselected: an empty choice has its own error sentence.
  reason: v.union([reportReason, v.literal('')]),
  detail: reportBody.entries.detail,
})

interface ReportFormProps {
  request: ReportRequest
  send: (report: BodyOf<typeof sendReport>) => Promise<void>
}

export function ReportForm({ request, send }: ReportFormProps) {
  const form = useSchemaForm({
    schema,
    defaults: { reason: '', detail: '' },
    note: `report.${request.kind}.${request.id}`,
    submit: async ({ reason, detail }) => {
      if (reason === '') return words.pick
      try {
        await send({ reason, detail })
      } catch (failure) {
        if (failure instanceof ApiFailure && failure.code === 'not_found') return words.missing
        throw failure
      }
      return undefined
    },
  })
  return (
    <Form {...form.shell} action={words.send} busyLabel={text.working}>
      <p className="text-soft">
        {words.what[request.kind](request.owner.name)}。{words.lead}
        {request.kind === 'message' && words.messageLead}
      </p>
      <FormField of={form} name="reason">
        {({ value, onChange }) => (
          <div>
            <p className="mb-1.5 text-sm font-semibold">{words.reason}</p>
            <RadioCards<string> label={words.reason} value={value} onChange={onChange} cards={cards} />
            <FieldNotes id={undefined} hint={undefined} error={undefined} count={undefined} />
          </div>
        )}
      </FormField>
      <FormField of={form} name="detail">
        {({ value, error, input, onChange }) => {
          const length = lengthOf(value, MAX_REPORT)
          return (
            <Field
              label={words.detail}
              optional={words.optional}
              hint={words.detailHint}
              error={error}
              count={length > MAX_REPORT * NEAR ? { now: length, max: MAX_REPORT } : undefined}
            >
              <TextArea
                name={input.name}
                value={value}
                onBlur={input.onBlur}
                onChange={(event) => onChange(event.target.value)}
                className="max-h-60"
              />
            </Field>
          )
        }}
      </FormField>
    </Form>
  )
}
