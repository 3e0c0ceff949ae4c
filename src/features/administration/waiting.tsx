// Waiting: the placeholder of an administration list.
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function Waiting() {
  return (
    <div aria-hidden className="flex flex-col gap-3 px-4 py-4">
      {[1, 2, 3].map((it) => (
        <Skeleton key={it} className="h-14" />
      ))}
    </div>
  )
}
