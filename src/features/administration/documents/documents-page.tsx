// DocumentsPage: finds receipts and statements as they were issued.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { DocumentRow } from './document-row.tsx'
import { DocumentSearch } from './document-search.tsx'
import { type DocumentFilter, documentsQuery } from './documents.ts'
import { documentsText as words } from './text.ts'

interface DocumentsPageProps {
  filter: DocumentFilter
  onSearch: (filter: DocumentFilter) => void
  failed: Failed
}

export function DocumentsPage({ filter, onSearch, failed }: DocumentsPageProps) {
  return (
    <section aria-labelledby="documents" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="documents" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <DocumentSearch key={JSON.stringify(filter)} filter={filter} onSearch={onSearch} />
      <Documents filter={filter} failed={failed} />
    </section>
  )
}

function Documents({ filter, failed }: Pick<DocumentsPageProps, 'filter' | 'failed'>) {
  const pages = useInfiniteQuery(documentsQuery(filter))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const all = pages.data.pages.flatMap((page) => page.documents)
  return (
    <>
      {all.length === 0 && !pages.hasNextPage && (
        <EmptyState drawing="letter" title={words.none} text={words.noneText} />
      )}
      {all.length > 0 && (
        <ul aria-label={words.title}>
          {all.map((it) => (
            <DocumentRow key={it.id} document={it} kind={filter.kind} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}
