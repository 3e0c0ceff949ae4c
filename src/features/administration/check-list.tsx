// CheckLists: identity checks in four lists, as tabs.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Role } from '#contract/administration/role-names.ts'
import type { CheckView } from '#contract/identity/admin-identity.ts'
import { type CheckList, checkLists } from '#contract/identity/check-lists.ts'
import { dateTime } from '#src/lib/format.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { administrationText as words } from './text.ts'
import { identityText } from '#src/domain/identity/text.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { StateBadge } from './state-badge.tsx'
import { checksQuery } from './checks.ts'
import { DeskLinks } from './desk-links.tsx'
import { Waiting } from './waiting.tsx'

/** What is shown where a list or a check could not be read. */
export type Failed = (error: Error, retry: () => Promise<unknown>) => ReactNode

interface CheckListsProps {
  role: Role
  shown: CheckList
  onShow: (list: CheckList) => void
  failed: Failed
}

export function CheckLists({ role, shown, onShow, failed }: CheckListsProps) {
  return (
    <section aria-labelledby="checks" className="pb-16">
      <h2 id="checks" className="px-4 pt-5 pb-2 text-lg font-semibold">
        {words.checks}
      </h2>
      <Tabs<CheckList>
        label={words.checks}
        value={shown}
        onChange={onShow}
        tabs={checkLists.map((value) => ({
          value,
          label: words.lists[value],
          panel: <Checks list={value} failed={failed} />,
        }))}
      />
      <DeskLinks role={role} />
    </section>
  )
}

function Checks({ list, failed }: { list: CheckList; failed: Failed }) {
  const pages = useInfiniteQuery(checksQuery(list))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const checks = pages.data.pages.flatMap((page) => page.checks)
  if (checks.length === 0)
    return <EmptyState drawing="letter" title={words.none[list]} text={words.noneText} />
  return (
    <>
      <ul>
        {checks.map((check) => (
          <Row key={check.id} check={check} list={list} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

function Row({ check, list }: { check: CheckView; list: CheckList }) {
  return (
    <li className="border-b border-line">
      <Link
        to="/administration"
        search={{ list, check: check.id }}
        className="flex min-h-16 items-center gap-3 px-4 py-3 hover:bg-sunk"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{check.person.name}</span>
          <span className="block text-sm text-soft tabular-nums">
            {identityText.documents[check.document_kind]}・{dateTime(Date.parse(check.submitted_at))}
          </span>
          {check.reviewer && (
            <span className="block truncate text-sm text-soft">
              {words.reviewer}：{check.reviewer.name}
            </span>
          )}
        </span>
        <StateBadge state={check.state} />
      </Link>
    </li>
  )
}
