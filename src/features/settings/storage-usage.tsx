// StorageUsage: the used storage, among the settings.
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getStorage } from '#contract/accounts/storage.ts'
import { storageSize } from '#src/lib/format.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { storageQuery } from '#src/domain/storage/storage.ts'
import { text } from '#src/domain/text/text.ts'
import { storageText as words } from '#src/domain/storage/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'

/** Share from which the card explains how to make room. */
const NEARLY = 0.9

export function StorageUsage() {
  const it = useQuery(storageQuery)
  if (it.data)
    return (
      <Part>
        <Figures {...it.data} />
      </Part>
    )
  if (!it.error)
    return (
      <Part>
        <Spinner label={text.loading} />
      </Part>
    )
  return (
    <Part>
      <FormError sentence={refusalOf(it.error, []).whole} />
      <Button look="quiet" busy={it.isFetching} busyLabel={text.loading} onClick={() => void it.refetch()}>
        {text.retry}
      </Button>
    </Part>
  )
}

function Part({ children }: { children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8 px-4">
      <h2 id={id} className="pb-2 text-sm font-semibold text-soft">
        {words.title}
      </h2>
      <div className="flex flex-col items-start gap-3 rounded-media border border-line bg-raised p-4">
        {children}
      </div>
    </section>
  )
}

function Figures({ used, limit }: ReplyOf<typeof getStorage>) {
  const share = limit === 0 ? 1 : used / limit
  const hint = share >= 1 ? words.full : share >= NEARLY ? words.nearly : words.counted
  return (
    <>
      <p className="font-semibold tabular-nums">{words.used(storageSize(used), storageSize(limit))}</p>
      <ProgressLine label={words.title} value={share * 100} look={share >= NEARLY ? 'seal' : 'ink'} />
      <p className="text-sm text-soft">{hint}</p>
    </>
  )
}
