// InquiryDetail: one inquiry with its texts, its content and its history.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { InquiryView } from '#contract/inquiries/admin-inquiries.ts'
import { inquiryNames, outcomeNames } from '#contract/inquiries/names.ts'
import { isMissing } from '#src/domain/api/api.ts'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Facts } from '#src/features/administration/facts.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { date, dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { inquiryQuery } from './inquiries.ts'
import { InquiryActions } from './inquiry-actions.tsx'
import { InquiryContent } from './inquiry-content.tsx'
import { inquiriesText as words } from './text.ts'

interface InquiryDetailProps {
  id: string
  onClose: () => void
  onUnconfirmed: () => void
  failed: Failed
}

const time = (at: string) => dateTime(Date.parse(at))

export function InquiryDetail({ id, onClose, onUnconfirmed, failed }: InquiryDetailProps) {
  const reading = useQuery(inquiryQuery(id))
  const back = (
    <button
      type="button"
      onClick={onClose}
      className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold"
    >
      <ChevronLeft aria-hidden size={20} />
      {words.back}
    </button>
  )
  if (reading.isPending) return <Waiting />
  if (!reading.data)
    return (
      <>
        {back}
        {isMissing(reading.error) ? (
          <EmptyState drawing="letter" title={words.missing} text="" />
        ) : (
          failed(reading.error, reading.refetch)
        )}
      </>
    )
  const { inquiry } = reading.data
  return (
    <article aria-labelledby="inquiry" className="pb-16">
      {back}
      <div className="flex flex-col gap-8 px-4 pt-3 rail:px-6">
        <header>
          <h2 id="inquiry" className="text-lg font-semibold">
            {inquiryNames[inquiry.kind]}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 tabular-nums">
            <span className="text-soft">{words.number(inquiry.number)}</span>
            <Badge look={inquiry.state === 'decided' ? 'good' : 'care'}>
              {inquiry.outcome === null ? words.states[inquiry.state] : outcomeNames[inquiry.outcome]}
            </Badge>
            <span className="text-sm text-soft">{words.dueOn(date(Date.parse(inquiry.due_at)))}</span>
          </p>
        </header>
        {inquiry.kind === 'intimate' && inquiry.state !== 'decided' && (
          <p className="text-sm text-soft">{words.intimateNote}</p>
        )}
        <InquiryActions inquiry={inquiry} onUnconfirmed={onUnconfirmed} />
        <Written inquiry={inquiry} />
        <InquiryContent inquiry={inquiry} />
        <History inquiry={inquiry} />
      </div>
    </article>
  )
}

const Text = ({ of }: { of: string }) => (
  <span dir="auto" className="block break-words whitespace-pre-wrap">
    {of}
  </span>
)

function Written({ inquiry: it }: { inquiry: InquiryView }) {
  const texts = [
    [words.sender, it.name === '' ? words.erased : it.name],
    [words.email, it.email],
    [words.url, it.url],
    [it.kind === 'intimate' ? words.ground : words.right, it.right],
    [words.text, it.text],
    [words.reason, it.reason],
  ] as const
  const opinion = it.opinion
    ? words.opinions[it.opinion]
    : it.opinion_due_at && words.opinionUntil(time(it.opinion_due_at))
  return (
    <section aria-label={words.text}>
      <Facts
        facts={[
          ...texts
            .filter(([, value]) => value !== '')
            .map(([name, value]) => [name, <Text key={name} of={value} />] as const),
          ...(it.sender
            ? [
                [
                  words.account,
                  <Link
                    key="account"
                    to="/profile/$id"
                    params={{ id: it.sender.id }}
                    className="underline underline-offset-4"
                  >
                    {it.sender.name}
                  </Link>,
                ] as const,
              ]
            : []),
          ...(it.kind === 'contact' || it.kind === 'intimate'
            ? []
            : [[words.mayTell, it.may_tell_name ? words.may.yes : words.may.no] as const]),
          ...(opinion ? [[words.opinion, opinion] as const] : []),
          [words.received, time(it.received_at)],
        ]}
      />
    </section>
  )
}

function History({ inquiry }: { inquiry: InquiryView }) {
  return (
    <section aria-labelledby="history">
      <h3 id="history" className="mb-2 font-semibold">
        {words.history}
      </h3>
      <ol className="border-t border-line">
        {inquiry.events.map((it, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- events are only appended
          <li key={index} className="border-b border-line py-3">
            <p className="font-semibold">{words.acts[it.act]}</p>
            {it.text !== '' && <Text of={it.text} />}
            <p className="mt-1 text-sm text-soft tabular-nums">
              {it.by && `${it.by.name}・`}
              {time(it.at)}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
