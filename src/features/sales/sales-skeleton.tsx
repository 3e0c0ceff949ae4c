// SalesSkeleton: the placeholder of sales and their entries.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function SalesSkeleton() {
  return (
    <output aria-label={text.loading} className="block px-4 py-6 rail:px-6">
      <Skeleton className="h-4 w-16" />
      <Skeleton className="mt-3 h-8 w-40" />
      {Array.from({ length: 6 }, (_, n) => (
        <span key={n} className="flex justify-between border-b border-line py-4">
          <Skeleton className="h-3.5 w-32" />
          <Skeleton className="h-3.5 w-20" />
        </span>
      ))}
    </output>
  )
}
