// UploadWatch: reports the ends of deliveries, and contains their sheet.
// It is outside the layouts, so that it stays mounted while pages change.
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { JobKind } from '#device/jobs/job-rows.ts'
import { getIdentity } from '#contract/identity/identity.ts'
import { UPLOAD_INFO_MS } from '#contract/limits.ts'
import { getProfile } from '#contract/people/people.ts'
import { listPosts } from '#contract/posts/posts.ts'
import { addNewest } from '#src/domain/posts/feeds.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { publishText, trayText } from '#src/features/publish/text.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { isTemporary, postRefusal } from './delivery-text.ts'
import { useDeliveries, useDeliveryEnds } from './deliveries.ts'
import type { DeliveryView } from './delivery.ts'
import { useDeliveryMode } from './use-delivery-mode.ts'
import { useHandOver } from './use-hand-over.ts'
import { useResume } from './use-resume.ts'

const UploadSheet = lazy(async () => ({ default: (await import('./upload-sheet.tsx')).UploadSheet }))

const words = trayText.identity
const sheet = createStore(false)

/** Opens the list of deliveries. */
export const showUploads = (): void => sheet.set(true)
const close = (): void => sheet.set(false)

interface UploadWatchProps {
  ownerId: string
  /** Called when a failed post is a draft again, to open the editor. */
  onEdit: (draft: Pick<DeliveryView, 'id' | 'kind' | 'protocol'>) => void
}

export function UploadWatch({ ownerId, onEdit }: UploadWatchProps) {
  const queryClient = useQueryClient()
  const router = useRouter()
  useResume(ownerId)
  useHandOver(ownerId)
  useDeliveryEnds(ownerId, {
    released: ({ kind }) => {
      if (kind === 'identity') {
        toast(words.sent, 'success', UPLOAD_INFO_MS)
        void queryClient.invalidateQueries(queriesOf(getIdentity))
        return
      }
      kind satisfies 'post'
      toast(publishText.done, 'success', UPLOAD_INFO_MS)
      void addNewest(queryClient)
      void queryClient.invalidateQueries(queriesOf(listPosts))
      void queryClient.invalidateQueries(queriesOf(getProfile))
    },
    failed: (_id, code, kind) => toast(failureOf(kind, code), 'error', UPLOAD_INFO_MS),
  })
  // A navigation that began before the sheet was opened does not close it.
  useEffect(() => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && close()), [router])
  useEffect(() => close, [])
  const open = useStore(sheet)
  // Loaded at the first opening, mounted afterwards for the closing animation and the next time.
  const [mounted, setMounted] = useState(open)
  if (open && !mounted) setMounted(true)
  return (
    mounted && (
      <Suspense>
        <Uploads ownerId={ownerId} open={open} onEdit={onEdit} />
      </Suspense>
    )
  )
}

/** The sentence of a failed post (section 8), with the reason if a retry would fail again. */
function failureOf(kind: JobKind, code: FailureCode): string {
  if (kind !== 'post') return trayText[kind].failed
  return isTemporary(code) ? publishText.failed : `${publishText.failed}${postRefusal(code)}`
}

function Uploads({ ownerId, open, onEdit }: UploadWatchProps & { open: boolean }) {
  const deliveries = useDeliveries(ownerId)
  const mode = useDeliveryMode()
  const count = deliveries.length
  const before = useRef(0)
  useEffect(() => {
    // The next delivery must not open the sheet.
    if (before.current > 0 && count === 0) close()
    before.current = count
  }, [count])
  if (count === 0) return null
  return (
    <UploadSheet
      open={open}
      onOpenChange={sheet.set}
      deliveries={deliveries}
      mode={mode}
      onEdit={(draft) => {
        close()
        onEdit(draft)
      }}
    />
  )
}
