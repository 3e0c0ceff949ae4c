// Notices: quiet lines above a page. The network is away; a new version waits.
import { CloudOff, RefreshCw } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { text } from '#src/lib/text.ts'
import { update } from '#src/sw-bridge.ts'
import { Banner } from '#src/ui/banner.tsx'
import { Button } from '#src/ui/button.tsx'

function listenToNetwork(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

export function Notices() {
  const online = useSyncExternalStore(listenToNetwork, () => navigator.onLine)
  const waiting = useSyncExternalStore(update.subscribe, update.isWaiting)
  return (
    <>
      {!online && <Banner icon={<CloudOff aria-hidden size={18} />}>{text.offline}</Banner>}
      {waiting && (
        <Banner
          look="info"
          icon={<RefreshCw aria-hidden size={18} />}
          act={
            <Button look="quiet" size="small" onClick={update.accept}>
              {text.update.act}
            </Button>
          }
        >
          {text.update.offer}
        </Banner>
      )}
    </>
  )
}
