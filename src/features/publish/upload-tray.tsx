// UploadTray: one line about posts on their way, on every page; it opens to their files.
import { useQueryClient } from '@tanstack/react-query'
import { ChevronUp } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { getIdentity } from '#contract/identity.ts'
import { UPLOAD_INFO_MS } from '#contract/limits.ts'
import { getProfile } from '#contract/people.ts'
import { listPosts } from '#contract/posts.ts'
import { takeNewest } from '#src/lib/feeds.ts'
import { readingsOf } from '#src/lib/query.ts'
import { promised, type Promised } from '#src/sw-bridge.ts'
import { ProgressLine } from '#src/ui/progress.tsx'
import { toast } from '#src/ui/toast.ts'
import { useDeliveries, useDeliveryEnds } from './deliveries.ts'
import type { DeliveryView } from './delivery.ts'
import { mayRetry, needsPerson, percentOf, promiseOf, summaryOf, titleOf } from './delivery-text.ts'
import { publishText, trayText } from '#src/lib/text-publish.ts'

const UploadSheet = lazy(async () => ({ default: (await import('./upload-sheet.tsx')).UploadSheet }))

const words = trayText

interface UploadTrayProps {
  ownerId: string
  /** A failed post is a draft again: show the editor with it. */
  onEdit: (draft: Pick<DeliveryView, 'id' | 'kind' | 'protocol'>) => void
}

export function UploadTray({ ownerId, onEdit }: UploadTrayProps) {
  const deliveries = useDeliveries(ownerId)
  const promise = usePromise()
  const [open, setOpen] = useState(false)
  // Loaded at the first opening, kept for the closing movement and the next time.
  const [asked, setAsked] = useState(false)
  const queryClient = useQueryClient()
  useDeliveryEnds(ownerId, {
    released: ({ kind }) => {
      if (kind === 'identity') {
        toast(words.identity.sent, 'success', UPLOAD_INFO_MS)
        void queryClient.invalidateQueries(readingsOf(getIdentity))
        return
      }
      toast(publishText.done, 'success', UPLOAD_INFO_MS)
      void takeNewest(queryClient)
      void queryClient.invalidateQueries(readingsOf(listPosts))
      void queryClient.invalidateQueries(readingsOf(getProfile))
    },
    failed: (_id, _code, kind) =>
      toast(kind === 'identity' ? words.identity.failed : publishText.failed, 'error', UPLOAD_INFO_MS),
  })
  const shown = deliveries.length > 0
  return (
    <>
      {shown && (
        <Line
          deliveries={deliveries}
          promise={promise}
          onOpen={() => {
            setAsked(true)
            setOpen(true)
          }}
        />
      )}
      {shown && asked && (
        <Suspense>
          <UploadSheet
            open={open}
            onOpenChange={setOpen}
            deliveries={deliveries}
            promise={promise}
            onEdit={(draft) => {
              setOpen(false)
              onEdit(draft)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** What can be promised about a closed app; undefined until the browser has told. */
function usePromise(): Promised | undefined {
  const [promise, setPromise] = useState<Promised>()
  useEffect(() => void promised().then(setPromise), [])
  return promise
}

interface LineProps {
  deliveries: readonly DeliveryView[]
  promise: Promised | undefined
  onOpen: () => void
}

function Line({ deliveries, promise, onOpen }: LineProps) {
  const summary = summaryOf(deliveries)
  const failed = deliveries.some(needsPerson)
  const hint = deliveries.some(mayRetry) ? words.openToRetry : promise && promiseOf(deliveries, promise)
  return (
    <section aria-label={titleOf(deliveries)} className="border-t border-line bg-raised">
      <ProgressLine
        label={titleOf(deliveries)}
        value={percentOf(deliveries)}
        look={failed ? 'ink' : 'seal'}
      />
      <button
        type="button"
        onClick={onOpen}
        aria-haspopup="dialog"
        className="flex min-h-13 w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunk focus-visible:-outline-offset-2 rail:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-semibold tabular-nums">{summary}</span>
          {hint && <span className="block text-sm text-soft">{hint}</span>}
        </span>
        <ChevronUp aria-hidden size={20} className="shrink-0 text-soft" />
      </button>
    </section>
  )
}
