// UnstoredMutations: reports mutations that wait in this page's memory.
import { CloudUpload } from 'lucide-react'
import { useWaitingOnPage } from '#src/domain/mutations/mutations.ts'
import { mutationsText as words } from '#src/domain/mutations/text.ts'
import { Banner } from '#src/ui/states/banner.tsx'

export function UnstoredMutations() {
  const count = useWaitingOnPage()
  if (count === 0) return null
  return (
    <Banner look="care" icon={<CloudUpload aria-hidden size={18} />}>
      {words.waitsHere(count)}
    </Banner>
  )
}
