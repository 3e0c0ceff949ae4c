// ReservedNames: members whose name or handle resembles the operator's.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { listReservedNames, type ReservedHolder } from '#contract/identity/admin-names.ts'
import { date } from '#src/lib/format.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import { administrationText as words } from './text.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from './check-list.tsx'
import { Waiting } from './waiting.tsx'

const namesQuery = { ...pagesFor(listReservedNames, {}), staleTime: 0 }

export function ReservedNames({ failed }: { failed: Failed }) {
  return (
    <section aria-labelledby="names" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {words.toDesk}
      </Link>
      <h2 id="names" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.names}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.namesLead}</p>
      <Holders failed={failed} />
    </section>
  )
}

function Holders({ failed }: { failed: Failed }) {
  const pages = useInfiniteQuery(namesQuery)
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const people = pages.data.pages.flatMap((page) => page.people)
  // A page contains the matches among some thousand accounts, and may be empty before others.
  if (people.length === 0 && !pages.hasNextPage)
    return <EmptyState drawing="letter" title={words.noNames} text={words.noneText} />
  return (
    <>
      <ul aria-label={words.names} className="border-t border-line">
        {people.map((person) => (
          <Holder key={person.id} person={person} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

function Holder({ person }: { person: ReservedHolder }) {
  const { id, name, handle, name_reason: ofName, handle_reason: ofHandle, created_at: since } = person
  return (
    <li className="border-b border-line">
      <Link
        to="/profile/$id"
        params={{ id }}
        className="flex min-h-16 flex-col justify-center px-4 py-3 hover:bg-sunk"
      >
        <span className="truncate font-semibold">{name}</span>
        {handle !== null && <span className="truncate text-sm text-soft">@{handle}</span>}
        <span className="text-sm text-soft">
          {[
            ofName && words.reservedName(words.reservedReasons[ofName]),
            ofHandle && words.reservedHandle(words.reservedReasons[ofHandle]),
            words.registeredOn(date(Date.parse(since))),
          ]
            .filter(Boolean)
            .join('・')}
        </span>
      </Link>
    </li>
  )
}
