// EditorSkeleton: the shape of the editor while the draft is read from the device.
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { text } from '#src/domain/text/text.ts'

export function EditorSkeleton() {
  return (
    <output aria-label={text.loading} className="flex flex-col gap-3 px-4 py-5 rail:px-6">
      <Skeleton className="h-5 w-3/4" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="mt-20 h-28 w-full rounded-media" />
    </output>
  )
}
