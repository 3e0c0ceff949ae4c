// SellerRequest: the request for a seller's data, and what became of the last one.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  MAX_SELLER_REASON,
  requestSeller,
  SELLER_ANSWER_MS,
  type SellerPage,
} from '#contract/sellers/sellers.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Prose } from '#src/ui/text/prose.tsx'
import { requestForm, sellerQuery } from './sellers.ts'
import { sellerText } from './text.ts'

const words = sellerText.request
const DAY = 24 * 3600_000
const time = (at: string) => dateTime(Date.parse(at))

interface SellerRequestProps {
  page: SellerPage
  onRequested: () => void
}

export function SellerRequest({ page, onRequested }: SellerRequestProps) {
  const { request, may_request: may } = page
  return (
    <>
      {request?.answered_at === null && (
        <Panel title={words.waitingTitle}>
          <p className="text-read">{words.waiting(time(request.requested_at), time(request.due_at))}</p>
        </Panel>
      )}
      {request?.answer === 'mediated' && request.answered_at !== null && (
        <Panel title={words.answeredTitle}>
          <Prose text={request.note} />
          <p className="mt-2 text-sm text-soft">{words.answered(time(request.answered_at))}</p>
        </Panel>
      )}
      {may === 'sign_in' && <SignIn />}
      {(may === 'at_once' || may === 'by_operator') && (
        <Panel title={words.title}>
          <p className="mb-5 text-read">
            {may === 'at_once' ? words.atOnce(page.creator.name) : words.byOperator(SELLER_ANSWER_MS / DAY)}
          </p>
          <RequestForm creatorId={page.creator.id} onRequested={onRequested} />
        </Panel>
      )}
    </>
  )
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-6 rounded-media border border-line bg-raised px-4 py-4">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function SignIn() {
  const router = useRouter()
  return (
    <Panel title={words.title}>
      <p className="mb-4 text-read">{words.signIn}</p>
      <Link
        to="/login"
        search={{ to: router.state.location.href }}
        className={buttonClass('quiet', 'normal', true)}
      >
        {words.toSignIn}
      </Link>
    </Panel>
  )
}

function RequestForm({ creatorId, onRequested }: { creatorId: string; onRequested: () => void }) {
  const client = useQueryClient()
  const form = useSchemaForm({
    schema: requestForm,
    defaults: { reason: '' },
    submit: async ({ reason }) => {
      try {
        const page = await call(requestSeller, { params: { user_id: creatorId }, body: { reason } })
        client.setQueryData(sellerQuery(creatorId).queryKey, page)
        toast(page.is === 'on_request' ? words.taken : words.disclosed, 'success')
        onRequested()
        return undefined
      } catch (failure) {
        if (!(failure instanceof ApiFailure)) throw failure
        if (failure.code === 'rate_limited') return words.limit
        // The data were published, or the creator sells nothing more.
        if (failure.code === 'conflict' || failure.code === 'not_found')
          void client.invalidateQueries({ queryKey: sellerQuery(creatorId).queryKey })
        throw failure
      }
    },
  })
  return (
    <Form {...form.shell} action={words.send} busyLabel={text.working}>
      <FormField of={form} name="reason">
        {({ value, error, input, onChange }) => (
          <Field
            label={words.reason}
            optional={words.optional}
            hint={words.reasonHint}
            error={error}
            count={{ now: lengthOf(value, MAX_SELLER_REASON), max: MAX_SELLER_REASON }}
          >
            <TextArea
              name={input.name}
              value={value}
              onBlur={input.onBlur}
              onChange={(event) => onChange(event.target.value)}
              className="max-h-60"
            />
          </Field>
        )}
      </FormField>
    </Form>
  )
}
