// AuditPage: the audit log for admins, with filters, pages and keys.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { auditQuery, type AuditFilter } from './audit.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTable } from './audit-table.tsx'
import { auditText as words } from './page-text.ts'

interface AuditPageProps {
  filter: AuditFilter
  onFilter: (filter: AuditFilter) => void
  failed: Failed
}

export function AuditPage({ filter, onFilter, failed }: AuditPageProps) {
  const list = useRef<HTMLTableElement>(null)
  const [help, setHelp] = useState(false)
  useListKeys({ list, onHelp: () => setHelp(true) })
  return (
    <section data-wide-page aria-labelledby="audit" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="audit" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <AuditFilters filter={filter} onChange={onFilter} />
      <Entries filter={filter} failed={failed} list={list} />
      <KeysSheet open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

interface EntriesProps {
  filter: AuditFilter
  failed: Failed
  list: React.RefObject<HTMLTableElement | null>
}

function Entries({ filter, failed, list }: EntriesProps) {
  const pages = useInfiniteQuery(auditQuery(filter))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const entries = pages.data.pages.flatMap((page) => page.entries)
  if (entries.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <>
      <AuditTable entries={entries} ref={list} />
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}
