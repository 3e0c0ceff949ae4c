// SettingsSkeleton: the placeholder of a page of settings.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function SettingsSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <output aria-label={text.loading} className="block px-4 pt-5">
      <Skeleton className="mb-5 h-4 w-64 max-w-full" />
      {Array.from({ length: rows }, (_, n) => (
        <span key={n} className="flex h-14 items-center justify-between border-t border-line">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-8 w-13 rounded-pill" />
        </span>
      ))}
    </output>
  )
}
