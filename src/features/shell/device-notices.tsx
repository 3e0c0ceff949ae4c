// DeviceNotices: reports a blocked database and rows of other versions.
import { RefreshCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { databaseState, onDatabaseState } from '#device/database/database-state.ts'
import { countUnreadable, type Unreadable } from '#device/database/unreadable.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { useMember } from '#src/domain/session/session.ts'
import { versionsText as words } from './versions-text.ts'
import { Banner } from '#src/ui/states/banner.tsx'
import { useStore } from '#src/lib/store.ts'
import { Button } from '#src/ui/button.tsx'

const UnreadableSheet = lazy(async () => ({
  default: (await import('./unreadable-sheet.tsx')).UnreadableSheet,
}))

const nothing: Unreadable = { posts: 0, drafts: 0, acts: 0 }

export function DeviceNotices() {
  const me = useMember()
  const database = useStore({ get: databaseState, subscribe: onDatabaseState })
  const unreadable = useUnreadable(me?.id)
  const [looking, setLooking] = useState<boolean>()
  if (database !== 'open')
    return <Notice action={database === 'outdated' && <Reload />}>{words[database]}</Notice>
  const { posts, drafts, acts } = unreadable
  const look = (
    <span className="flex flex-wrap justify-end gap-2">
      <Button look="quiet" size="small" onClick={() => setLooking(true)}>
        {words.look}
      </Button>
      <Reload />
    </span>
  )
  return (
    <>
      {posts + drafts + acts > 0 && <Notice action={look}>{words.unreadable(unreadable)}</Notice>}
      {me && looking !== undefined && (
        <Suspense>
          <UnreadableSheet ownerId={me.id} open={looking} onOpenChange={setLooking} />
        </Suspense>
      )}
    </>
  )
}

function Reload() {
  return (
    <Button look="quiet" size="small" onClick={() => location.reload()}>
      {words.reload}
    </Button>
  )
}

function Notice({ action, children }: { action: ReactNode; children: string }) {
  return (
    <Banner look="care" icon={<RefreshCw aria-hidden size={18} />} action={action}>
      {children}
    </Banner>
  )
}

const useUnreadable = (ownerId: string | undefined): Unreadable =>
  useDeviceRead({
    key: ['unreadable', ownerId],
    read: () => (ownerId === undefined ? Promise.resolve(nothing) : countUnreadable(ownerId)),
    isAbout: ({ store }) => store === 'jobs' || store === 'drafts' || store === 'acts',
  }) ?? nothing
