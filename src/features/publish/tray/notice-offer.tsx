// NoticeOffer: requests the permission for notices about ended deliveries.
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { trayText } from '#src/features/publish/text.ts'
import { Button } from '#src/ui/button.tsx'

export function NoticeOffer() {
  const [answer, setAnswer] = useState<NotificationPermission>()
  // Some browsers have no notices.
  if (!('Notification' in globalThis)) return null
  if (answer === 'denied') return <p className="mb-2 text-sm text-soft">{trayText.notifyDenied}</p>
  if (Notification.permission !== 'default') return null
  return (
    <Button
      look="quiet"
      size="small"
      className="mb-2"
      onClick={() => void Notification.requestPermission().then(setAnswer)}
    >
      <Bell aria-hidden size={18} />
      {trayText.notify}
    </Button>
  )
}
