// OwnInquiryPage: an inquiry by the link of its email: confirmed, read, answered, withdrawn.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  answerInquiry,
  confirmInquiry,
  type OwnInquiry,
  readInquiry,
  withdrawInquiry,
} from '#contract/inquiries/inquiries.ts'
import { inquiryNames, outcomeNames } from '#contract/inquiries/names.ts'
import { type InquiryKind, MAX_INQUIRY_TEXT } from '#contract/inquiries/states.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import type { Failed } from './contact-page.tsx'
import { contactText as words } from './text.ts'
import { Texts } from './texts.tsx'

export interface Link {
  readonly inquiry_id: string
  readonly token: string
}

/** Whether a link was refused, and not only unread. */
export const isInvalidLink = (error: Error): boolean =>
  error instanceof ApiFailure && ['link_invalid', 'invalid'].includes(error.code)

export function OwnInquiryPage({ link, failed }: { link: Link; failed: Failed }) {
  const reading = useQuery({
    queryKey: ['inquiry-by-link', link.inquiry_id],
    queryFn: () => call(readInquiry, { body: link }),
    retry: false,
  })
  if (reading.isPending) return <Skeleton className="h-60" />
  if (!reading.data)
    return isInvalidLink(reading.error) ? <p>{words.linkInvalid}</p> : failed(reading.error, reading.refetch)
  const { inquiry } = reading.data
  const { state, outcome, written, due_at: due } = inquiry
  return (
    <article className="flex flex-col gap-8">
      <header>
        <h2 className="text-lg font-semibold">{inquiryNames[inquiry.kind]}</h2>
        <p className="mt-1 flex flex-wrap items-center gap-3">
          <span className="text-soft tabular-nums">{words.number(inquiry.number)}</span>
          <Badge look={state === 'decided' ? 'good' : 'care'}>
            {outcome === null ? words.states[state] : outcomeNames[outcome]}
          </Badge>
        </p>
        {due !== null && state !== 'decided' && (
          <p className="mt-2 text-read">{words.due(date(Date.parse(due)))}</p>
        )}
      </header>
      <Actions inquiry={inquiry} link={link} />
      <History inquiry={inquiry} />
      <section aria-labelledby="written">
        <h3 id="written" className="mb-2 font-semibold">
          {words.written}
        </h3>
        <Texts
          texts={[
            [words.name, written.name],
            [words.email, written.email],
            [words.url, written.url],
            [inquiry.kind === 'intimate' ? words.ground : words.right, written.right],
            [textNames[inquiry.kind] ?? words.claim, written.text],
            [words.reason, written.reason],
          ]}
        />
      </section>
    </article>
  )
}

/** What the text of an inquiry is called, if it is no claim. */
const textNames: Partial<Record<InquiryKind, string>> = { contact: words.message, intimate: words.shown }

const refusals: Partial<Record<ApiFailure['code'], string>> = {
  gone: words.gone,
  conflict: words.alreadyRequested,
}

/** Calls one of the endpoints of the link, and shows the inquiry of its reply. */
function useInquiryAction(link: Link) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function perform(send: () => Promise<{ inquiry: OwnInquiry }>, done: string): Promise<boolean> {
    setBusy(true)
    try {
      client.setQueryData(['inquiry-by-link', link.inquiry_id], await send())
      toast(done, 'success')
      return true
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(refusals[failure.code] ?? errorText[failure.code], 'error')
      void client.invalidateQueries({ queryKey: ['inquiry-by-link', link.inquiry_id] })
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, perform }
}

interface ActionsProps {
  inquiry: OwnInquiry
  link: Link
}

function Actions({ inquiry, link }: ActionsProps) {
  const { busy, perform } = useInquiryAction(link)
  const [asking, setAsking] = useState(false)
  if (inquiry.state === 'decided') return null
  if (inquiry.state === 'unconfirmed')
    return (
      <div>
        <p className="mb-4 text-read">{words.confirmLead}</p>
        <Button
          look="seal"
          wide
          busy={busy}
          busyLabel={text.working}
          onClick={() => void perform(() => call(confirmInquiry, { body: link }), words.confirmed)}
        >
          {words.confirm}
        </Button>
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-6">
      {inquiry.state === 'asked_sender' && <Answer link={link} />}
      <Button look="quiet" onClick={() => setAsking(true)}>
        {words.withdraw}
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={(next) => !busy && setAsking(next)}
        title={words.withdrawTitle}
        description={words.withdrawText}
        cancel={text.cancel}
        action={{
          label: words.withdraw,
          busy,
          onSelect: () =>
            void perform(() => call(withdrawInquiry, { body: link }), words.withdrawn).then(() =>
              setAsking(false),
            ),
        }}
      />
    </div>
  )
}

function Answer({ link }: { link: Link }) {
  const { busy, perform } = useInquiryAction(link)
  const [value, setValue] = useState('')
  const [pressed, setPressed] = useState(false)
  const now = lengthOf(value, MAX_INQUIRY_TEXT)
  async function send() {
    setPressed(true)
    if (value.trim() === '' || now > MAX_INQUIRY_TEXT) return
    await perform(() => call(answerInquiry, { body: { ...link, text: value } }), words.answered)
  }
  return (
    <div className="flex w-full flex-col gap-4">
      <Field
        label={words.answer}
        error={pressed && value.trim() === '' ? words.required : undefined}
        count={{ now, max: MAX_INQUIRY_TEXT }}
      >
        <TextArea value={value} onChange={(event) => setValue(event.target.value)} />
      </Field>
      <Button look="seal" busy={busy} busyLabel={text.working} onClick={() => void send()}>
        {words.sendAnswer}
      </Button>
    </div>
  )
}

function History({ inquiry }: { inquiry: OwnInquiry }) {
  return (
    <section aria-labelledby="history">
      <h3 id="history" className="mb-2 font-semibold">
        {words.history}
      </h3>
      <ol className="border-t border-line">
        {inquiry.events.map((it, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- events are only appended
          <li key={index} className="border-b border-line py-3">
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-semibold">{words.acts[it.act]}</span>
              <span className="text-sm text-soft tabular-nums">{dateTime(Date.parse(it.at))}</span>
            </p>
            {it.text !== '' && (
              <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
                {it.text}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
