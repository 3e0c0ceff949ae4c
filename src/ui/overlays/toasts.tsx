// Toasts: the list of displayed toasts, at the top right.
import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { listenForToasts, replacedBy, type ShownToast, type Toast, type ToastType } from './toast.ts'

const icons: Record<ToastType, ReactNode> = {
  info: <Info aria-hidden size={20} className="text-info-text" />,
  success: <CircleCheck aria-hidden size={20} className="text-good-text" />,
  warning: <TriangleAlert aria-hidden size={20} className="text-care-text" />,
  error: <CircleAlert aria-hidden size={20} className="text-seal-text" />,
  default: null,
}

const isToastType = (type: string | undefined): type is ToastType => type !== undefined && type in icons

const manager = Base.createToastManager()
let shown: readonly ShownToast[] = []

function show({ sentence, type, ms }: Toast): void {
  const replaced = replacedBy(type, shown)
  for (const id of replaced) manager.close(id)
  const id: string = manager.add({
    description: sentence,
    type,
    // An error is read out at once, the rest when there is a pause.
    priority: type === 'error' ? 'high' : 'low',
    onClose: () => {
      shown = shown.filter((it) => it.id !== id)
    },
    ...(ms === undefined ? {} : { timeout: ms }),
  })
  shown = [...shown.filter((it) => !replaced.includes(it.id)), { id, type }]
}

export function Toasts({
  timeout,
  label,
  closeLabel,
}: {
  timeout: number
  label: string
  closeLabel: string
}) {
  useEffect(() => listenForToasts(show), [])
  return (
    <Base.Provider toastManager={manager} timeout={timeout} limit={4}>
      <Base.Portal>
        <Base.Viewport
          aria-label={label}
          // Below the header and the tabs, so that what leads back and the title stay in reach.
          className="fixed top-[calc(env(safe-area-inset-top,0px)+var(--head)+var(--tab-row)+8px)] right-3 left-3 z-60 flex flex-col items-end gap-2 outline-none rail:left-auto rail:w-90"
        >
          <ToastList closeLabel={closeLabel} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function ToastList({ closeLabel }: { closeLabel: string }) {
  const { toasts } = Base.useToastManager()
  return toasts.map((it) => (
    <Base.Root
      key={it.id}
      toast={it}
      // A dialog by its role: without a title its sentence is its name.
      aria-label={typeof it.description === 'string' ? it.description : undefined}
      swipeDirection={['up', 'right']}
      className="w-full translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) rounded-media border border-line bg-raised text-ink shadow-float transition-[translate,opacity] duration-240 data-limited:hidden data-starting-style:-translate-y-3 data-starting-style:opacity-0 data-ending-style:opacity-0 data-swiping:duration-0"
    >
      <Base.Content className="flex items-center gap-3 py-1 pr-1 pl-4">
        {isToastType(it.type) && icons[it.type]}
        <Base.Description className="min-w-0 flex-1 py-2" />
        <Base.Close render={<IconButton label={closeLabel} icon={<X size={18} />} className="text-soft" />} />
      </Base.Content>
    </Base.Root>
  ))
}
