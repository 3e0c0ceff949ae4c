// ForeignMutations: reports mutations with foreign replies, with a link to the portal.
import { Wifi } from 'lucide-react'
import { useForeignMutations } from '#src/domain/mutations/mutations.ts'
import { connectionCheck } from '#src/domain/api/api.ts'
import { mutationsText as words } from '#src/domain/mutations/text.ts'
import { text } from '#src/domain/text/text.ts'
import { Banner } from '#src/ui/states/banner.tsx'
import { buttonClass } from '#src/ui/button.tsx'

export function ForeignMutations() {
  const count = useForeignMutations()
  if (count === 0) return null
  return (
    <Banner
      look="care"
      icon={<Wifi aria-hidden size={18} />}
      action={
        <a href={connectionCheck} target="_blank" rel="noreferrer" className={buttonClass('quiet', 'small')}>
          {text.checkConnection}
        </a>
      }
    >
      {words.foreign(count)}
    </Banner>
  )
}
