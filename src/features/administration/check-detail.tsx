// CheckDetail: one identity check with its evidence and the decision.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { CheckDetail as Check } from '#contract/identity/admin-identity.ts'
import type { CheckList } from '#contract/identity/check-lists.ts'
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { dateTime } from '#src/lib/format.ts'
import { useMember } from '#src/domain/session/session.ts'
import { administrationText as words } from './text.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { Failed } from './check-list.tsx'
import { checkQuery, findNextToDecide, useCheckAction } from './checks.ts'
import { Decision } from './decision.tsx'
import { About, type Confirms, Evidence } from './evidence.tsx'
import { Facts } from './facts.tsx'
import { QueueBar } from './review/queue-bar.tsx'
import { useQueue } from './review/queue.ts'
import { StateBadge } from './state-badge.tsx'
import { Waiting } from './waiting.tsx'

interface CheckDetailProps {
  id: string
  /** The list from which the check was opened. */
  list: CheckList
  /** Opens another check of a list, or the list without one. */
  onOpen: (id: string | undefined, list: CheckList) => void
  failed: Failed
  Confirmation: Confirms
}

export function CheckDetail({ id, list, onOpen, failed, Confirmation }: CheckDetailProps) {
  const client = useQueryClient()
  const { data: check, error, refetch, isPending } = useQuery(checkQuery(id))
  const { previous, next } = useQueue(id, check, list)
  async function openNext() {
    const waiting = await findNextToDecide(client, id)
    if (waiting === undefined) toast(words.nothingLeft, 'success')
    onOpen(waiting, 'waiting')
  }
  return (
    <div data-wide-page className="pb-16">
      <QueueBar list={list} previous={previous} next={next} onOpen={(it) => onOpen(it, list)} />
      {isPending && <Waiting />}
      {error &&
        !check &&
        (isMissing(error) ? (
          <EmptyState drawing="letter" title={words.missing} text={words.missingText} />
        ) : (
          failed(error, refetch)
        ))}
      {check && <Shown check={check} Confirmation={Confirmation} onDecided={() => void openNext()} />}
    </div>
  )
}

interface ShownProps {
  check: Check
  Confirmation: Confirms
  onDecided: () => void
}

function Shown({ check, Confirmation, onDecided }: ShownProps) {
  const me = useMember()
  const isReviewer = check.reviewer?.id === me?.id
  const heading = useRef<HTMLHeadingElement>(null)
  // A check that opens by a key or after a decision begins at its heading.
  useEffect(() => heading.current?.focus(), [])
  const { evidence } = check
  return (
    <article aria-labelledby="check" className="flex flex-col gap-6 px-4 pt-2 wide:gap-4">
      <header className="flex items-center gap-3">
        <h2
          id="check"
          ref={heading}
          tabIndex={-1}
          className="min-w-0 truncate text-lg font-semibold outline-none"
        >
          {check.person.name}
        </h2>
        <StateBadge check={check} />
      </header>
      <div className="grid gap-6 wide:grid-cols-2">
        <section aria-label={words.check}>
          <Facts facts={factsOf(check, isReviewer)} />
        </section>
        {evidence && <About evidence={evidence} submittedAt={Date.parse(check.submitted_at)} />}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Assignment check={check} isReviewer={isReviewer} own={check.person.id === me?.id} />
      </div>
      {evidence && <Evidence checkId={check.id} evidence={evidence} Confirmation={Confirmation} />}
      {evidence && isReviewer && check.taken_until !== null && (
        <Decision checkId={check.id} evidence={evidence} onDecided={onDecided} />
      )}
    </article>
  )
}

const time = (at: string) => dateTime(Date.parse(at))

function factsOf(check: Check, isReviewer: boolean): (readonly [string, ReactNode])[] {
  const { reviewer, decided_at: decidedAt, reason, note } = check
  // Whose lock has ended is not its reviewer any more.
  const present = check.taken_until === null && decidedAt === null ? null : reviewer
  return [
    [
      words.person,
      <Link
        key="person"
        to="/profile/$id"
        params={{ id: check.person.id }}
        className="underline underline-offset-4"
      >
        {check.person.name}
      </Link>,
    ],
    [words.document, identityText.documents[check.document_kind]],
    [words.submittedAt, time(check.submitted_at)],
    [words.reviewer, present ? (isReviewer ? words.you : present.name) : words.noReviewer],
    ...(decidedAt === null ? [] : [[words.decidedAt, time(decidedAt)] as const]),
    ...(reason === null ? [] : [[words.reason, rejectSentences[reason]] as const]),
    ...(note === '' ? [] : [[words.note, note] as const]),
  ]
}

function Assignment({ check, isReviewer, own }: { check: Check; isReviewer: boolean; own: boolean }) {
  const { busy, perform } = useCheckAction(check.id)
  const { taken_until: until, reviewer } = check
  if (own) return <p className="text-soft">{words.own}</p>
  if (isReviewer && until !== null)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="quiet"
          data-key="t"
          busy={busy === 'return'}
          busyLabel={text.working}
          onClick={() => void perform({ is: 'return' })}
        >
          {words.giveBack}
        </Button>
        <p className="text-sm text-soft tabular-nums">{words.lockedUntil(time(until))}</p>
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-3">
      {until !== null && reviewer && (
        <p className="tabular-nums">{words.lockedBy(reviewer.name, time(until))}</p>
      )}
      {isReviewer && check.takeable && <p>{words.lockOver}</p>}
      {!isReviewer && <p className="text-soft">{words.onlyTaker}</p>}
      {check.takeable && (
        <Button
          look="ink"
          data-key="t"
          busy={busy === 'take'}
          busyLabel={text.working}
          onClick={() => void perform({ is: 'take' })}
        >
          {words.take}
        </Button>
      )}
    </div>
  )
}
