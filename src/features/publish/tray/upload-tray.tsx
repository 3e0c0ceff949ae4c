// UploadTray: one line about deliveries on every page, which opens their sheet.
import { ChevronUp } from 'lucide-react'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { useDeliveries } from './deliveries.ts'
import { hintOf, needsPerson, percentOf, summaryOf, titleOf } from './delivery-text.ts'
import { showUploads } from './upload-watch.tsx'
import { useDeliveryMode } from './use-delivery-mode.ts'

export function UploadTray({ ownerId }: { ownerId: string }) {
  const deliveries = useDeliveries(ownerId)
  const mode = useDeliveryMode()
  if (deliveries.length === 0) return null
  const failed = deliveries.some(needsPerson)
  const waits = deliveries.every(({ status }) => status.is === 'waiting' || status.is === 'foreign')
  const hint = hintOf(deliveries, mode)
  return (
    <section aria-label={titleOf(deliveries)} className="border-t border-line bg-raised">
      <ProgressLine
        label={titleOf(deliveries)}
        value={percentOf(deliveries)}
        look={failed || waits ? 'ink' : 'seal'}
      />
      <button
        type="button"
        onClick={showUploads}
        aria-haspopup="dialog"
        className="flex min-h-13 w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunk focus-visible:-outline-offset-2 rail:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-semibold tabular-nums">{summaryOf(deliveries)}</span>
          {hint && <span className="block text-sm text-soft">{hint}</span>}
        </span>
        <ChevronUp aria-hidden size={20} className="shrink-0 text-soft" />
      </button>
    </section>
  )
}
