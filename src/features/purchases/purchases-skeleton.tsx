// PurchasesSkeleton: the placeholder of a list of purchases.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function PurchasesSkeleton() {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: 4 }, (_, n) => (
        <span key={n} className="block min-h-32 border-b border-line px-4 py-4 rail:px-6">
          <Skeleton className="h-4 w-40 max-w-full" />
          <Skeleton className="mt-2 h-3.5 w-32" />
          <Skeleton className="mt-2 h-3.5 w-24" />
        </span>
      ))}
    </output>
  )
}
