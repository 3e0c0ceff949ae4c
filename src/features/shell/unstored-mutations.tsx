// UnstoredActs: what was done on a device without room waits for the network in this page alone.
import { CloudUpload } from 'lucide-react'
import { useWaitingHere } from '#src/domain/mutations/mutations.ts'
import { mutationsText as words } from '#src/domain/mutations/text.ts'
import { Banner } from '#src/ui/states/banner.tsx'

export function UnstoredMutations() {
  const count = useWaitingHere()
  if (count === 0) return null
  return (
    <Banner look="care" icon={<CloudUpload aria-hidden size={18} />}>
      {words.waitsHere(count)}
    </Banner>
  )
}
