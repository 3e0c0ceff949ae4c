// ReportableMessages: the choice of a person's message to report, also after a block.
import { useQuery } from '@tanstack/react-query'
import { listReportableMessages } from '#contract/messages/reportable.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { type ModeratedPerson, requestReport } from '#src/domain/people/moderation-dialog.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { RetryNote } from '#src/ui/states/retry-note.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { reportText as words } from './text.ts'

interface ReportableMessagesProps {
  readonly person: ModeratedPerson
  readonly onOver: () => void
}

export function ReportableMessages({ person, onOver }: ReportableMessagesProps) {
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onOver()
      }}
      title={words.choose}
      closeLabel={text.close}
    >
      <p className="pb-3 text-sm text-soft">{words.chooseLead}</p>
      <Choice person={person} />
    </Sheet>
  )
}

function Choice({ person }: { person: ModeratedPerson }) {
  const { data, error, refetch } = useQuery({
    ...queryFor(listReportableMessages, { params: { user_id: person.id } }),
    staleTime: 0,
  })
  if (error)
    return (
      <RetryNote label={text.retry} busyLabel={text.working} onRetry={refetch}>
        {errorText[error instanceof ApiFailure ? error.code : 'internal']}
      </RetryNote>
    )
  if (!data)
    return (
      <div aria-busy className="flex flex-col gap-2 pb-4">
        <Skeleton className="h-14 rounded-media" />
        <Skeleton className="h-14 rounded-media" />
      </div>
    )
  if (data.messages.length === 0) return <p className="pb-4">{words.noMessages}</p>
  return (
    <ul className="border-t border-line pb-4">
      {data.messages.map((it) => (
        <li key={it.id} className="border-b border-line">
          <button
            type="button"
            className="flex min-h-14 w-full flex-col items-start gap-0.5 px-1 py-2 text-left hover:bg-sunk"
            onClick={() => requestReport('message', it.id, person)}
          >
            <span dir="auto" className="line-clamp-2 break-words">
              {it.excerpt === '' ? words.filesOnly(it.media_count) : it.excerpt}
            </span>
            <span className="text-xs text-soft tabular-nums">{dateTime(Date.parse(it.sent_at))}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
