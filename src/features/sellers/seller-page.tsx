// SellerPage: who sells a creator's posts and plans, and the request for it.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { SellerPage as SellerReply } from '#contract/sellers/sellers.ts'
import { useMember } from '#src/domain/session/session.ts'
import { date } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { FactRows } from './fact-rows.tsx'
import { SellerRequest } from './seller-request.tsx'
import { sellerQuery } from './sellers.ts'
import { sellerText as words } from './text.ts'

interface SellerPageProps {
  userId: string
  /** The rows of the operator, and what the law requires of every sale. */
  operator: ReactNode
  terms: ReactNode
}

export function SellerPage({ userId, operator, terms }: SellerPageProps) {
  const page = useSuspenseQuery(sellerQuery(userId)).data
  const { creator } = page
  const isOwn = useMember()?.id === creator.id
  const facts = useRef<HTMLElement>(null)
  const [requests, setRequests] = useState(0)
  // The focused button is gone: what it led to is above it.
  useEffect(() => {
    if (requests > 0) facts.current?.focus()
  }, [requests])
  return (
    <article className="px-4 pt-5 pb-16 rail:px-8 rail:pt-8">
      <p className="flex items-center gap-3">
        <Avatar name={creator.name} src={creator.avatar_url} size={48} />
        <span className="min-w-0 font-semibold break-words">{creator.name}</span>
      </p>
      <p className="mt-4 text-read">{words.lead(creator.name)}</p>
      {isOwn && <Own />}
      <section ref={facts} tabIndex={-1} aria-labelledby="seller" className="mt-9 outline-none">
        <h2 id="seller" className="text-lg font-semibold">
          {words.seller}
        </h2>
        <FactRows seller={page.seller} />
        <Until page={page} />
      </section>
      {!isOwn && <SellerRequest page={page} onRequested={() => setRequests((it) => it + 1)} />}
      <section aria-labelledby="operator" className="mt-9">
        <h2 id="operator" className="text-lg font-semibold">
          {words.operator}
        </h2>
        <p className="mt-3 text-read">{words.operatorText}</p>
        {operator}
      </section>
      {terms}
    </article>
  )
}

function Own() {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-3 rounded-field bg-sunk px-4 py-1 text-sm">
      {words.own}
      <Link to="/settings/seller" className={linkClass}>
        {words.edit}
      </Link>
    </p>
  )
}

function Until({ page: { shown_until: until } }: { page: SellerReply }) {
  return (
    until !== null && <p className="mt-3 text-sm text-soft">{words.shownUntil(date(Date.parse(until)))}</p>
  )
}

/** Shown for a person who sells nothing, or does not exist for the viewer. */
export function UnknownSeller() {
  return (
    <EmptyState
      drawing="letter"
      title={words.unknown}
      text={words.unknownText}
      action={
        <Link to="/" replace className={buttonClass('quiet')}>
          {words.toHome}
        </Link>
      }
    />
  )
}
