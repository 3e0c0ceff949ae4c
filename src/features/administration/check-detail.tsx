// CheckDetail: one identity check with its evidence and the decision.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CheckDetail as Check } from '#contract/identity/admin-identity.ts'
import type { CheckList } from '#contract/identity/check-lists.ts'
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import { dateTime } from '#src/lib/format.ts'
import { useMember } from '#src/domain/session/session.ts'
import { administrationText as words } from './text.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import type { Failed } from './check-list.tsx'
import { checkQuery, useCheckAction } from './checks.ts'
import { Decision } from './decision.tsx'
import { type Confirms, Evidence } from './evidence.tsx'
import { Facts } from './facts.tsx'
import { StateBadge } from './state-badge.tsx'

interface CheckDetailProps {
  id: string
  list: CheckList
  failed: Failed
  Confirmation: Confirms
}

export function CheckDetail({ id, list, failed, Confirmation }: CheckDetailProps) {
  const { data: check, error, refetch, isPending } = useQuery(checkQuery(id))
  return (
    <div className="pb-16">
      <Link
        to="/administration"
        search={{ list }}
        className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold"
      >
        <ChevronLeft aria-hidden size={20} />
        {words.toList}
      </Link>
      {isPending && <Skeleton className="mx-4 mt-4 h-40" />}
      {error && !check && failed(error, refetch)}
      {check && <Shown check={check} Confirmation={Confirmation} />}
    </div>
  )
}

function Shown({ check, Confirmation }: { check: Check; Confirmation: Confirms }) {
  const me = useMember()
  const isReviewer = check.reviewer?.id === me?.id
  return (
    <div className="flex flex-col gap-6 px-4 pt-2">
      <section aria-labelledby="check">
        <div className="mb-3 flex items-center gap-3">
          <h2 id="check" className="min-w-0 flex-1 truncate text-lg font-semibold">
            {check.person.name}
          </h2>
          <StateBadge state={check.state} />
        </div>
        <Facts facts={factsOf(check, isReviewer)} />
      </section>
      <Assignment check={check} isReviewer={isReviewer} own={check.person.id === me?.id} />
      {check.evidence && <Evidence evidence={check.evidence} Confirmation={Confirmation} />}
      {isReviewer && check.state === 'in_review' && <Decision checkId={check.id} />}
    </div>
  )
}

function factsOf(check: Check, isReviewer: boolean): (readonly [string, ReactNode])[] {
  const { reviewer, decided_at: decidedAt, reason, note } = check
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
    [words.submittedAt, dateTime(Date.parse(check.submitted_at))],
    [words.reviewer, reviewer ? (isReviewer ? words.you : reviewer.name) : words.noReviewer],
    ...(decidedAt === null ? [] : [[words.decidedAt, dateTime(Date.parse(decidedAt))] as const]),
    ...(reason === null ? [] : [[words.reason, rejectSentences[reason]] as const]),
    ...(note === '' ? [] : [[words.note, note] as const]),
  ]
}

function Assignment({ check, isReviewer, own }: { check: Check; isReviewer: boolean; own: boolean }) {
  const { busy, perform } = useCheckAction(check.id)
  if (own) return <p className="text-soft">{words.own}</p>
  if (isReviewer && check.state === 'in_review')
    return (
      <div>
        <Button
          look="quiet"
          busy={busy === 'return'}
          busyLabel={text.working}
          onClick={() => void perform({ is: 'return' })}
        >
          {words.giveBack}
        </Button>
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-3">
      {!isReviewer && <p className="text-soft">{words.onlyTaker}</p>}
      {check.takeable && (
        <Button
          look="ink"
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
