// Notices: banners about a missing network and a new version.
import { CloudOff, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { RELOAD_GUARD_MS } from '#contract/limits.ts'
import { useOnline } from '#src/lib/online.ts'
import { useReadsShown } from '#src/domain/queries/reads-shown.ts'
import { text } from '#src/domain/text/text.ts'
import { update } from '#src/sw-bridge.ts'
import { Banner } from '#src/ui/states/banner.tsx'
import { useStore } from '#src/lib/store.ts'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { DeviceNotices } from './device-notices.tsx'
import { ForeignMutations } from './foreign-mutations.tsx'
import { RefusedMutations } from './refused-mutations.tsx'
import { UnstoredMutations } from './unstored-mutations.tsx'
import { UrgentNotices } from './urgent-notices.tsx'

export function Notices() {
  const online = useOnline()
  const waiting = useStore(update.waiting)
  return (
    <>
      <UrgentNotices />
      <DeviceNotices />
      <RefusedMutations />
      <UnstoredMutations />
      <ForeignMutations />
      {!online && <Offline />}
      {waiting && <NewVersion />}
    </>
  )
}

function Offline() {
  const reads = useReadsShown()
  return <Banner icon={<CloudOff aria-hidden size={18} />}>{reads ? text.offlineRead : text.offline}</Banner>
}

function NewVersion() {
  const [busy, setBusy] = useState(false)
  async function change() {
    setBusy(true)
    const changed = await update.accept()
    // After a success the page reloads, at once or after the reload guard's time.
    if (changed) setTimeout(() => setBusy(false), RELOAD_GUARD_MS)
    else {
      setBusy(false)
      toast(text.update.notNow, 'error')
    }
  }
  return (
    <Banner
      look="info"
      icon={<RefreshCw aria-hidden size={18} />}
      action={
        <Button
          look="quiet"
          size="small"
          busy={busy}
          busyLabel={text.update.working}
          onClick={() => void change()}
        >
          {text.update.action}
        </Button>
      }
    >
      {text.update.offer}
    </Banner>
  )
}
