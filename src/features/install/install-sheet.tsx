// InstallSheet: installs the app by the browser's prompt, or shows the steps.
import { Ellipsis, ExternalLink, Plus, Share, SquarePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { install } from '#src/domain/install/install.ts'
import type { InstallMethod } from '#src/domain/install/install-method.ts'
import { installText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

const icon = { 'aria-hidden': true, size: 22 } as const
const icons: Partial<Record<InstallMethod, ReactNode[]>> = {
  ios: [<Share key="1" {...icon} />, <SquarePlus key="2" {...icon} />, <Plus key="3" {...icon} />],
  'in-app': [
    <Ellipsis key="1" {...icon} />,
    <ExternalLink key="2" {...icon} />,
    <SquarePlus key="3" {...icon} />,
  ],
  menu: [<Ellipsis key="1" {...icon} />, <SquarePlus key="2" {...icon} />],
}

interface InstallSheetProps {
  method: InstallMethod
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function InstallSheet({ method, open, onOpenChange }: InstallSheetProps) {
  const steps = method === 'ios' || method === 'in-app' || method === 'menu' ? installText.steps[method] : []
  async function openPrompt(): Promise<void> {
    onOpenChange(false)
    if ((await install.prompt()) === 'accepted') toast(installText.done, 'success')
  }
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={installText.title}
      description={installText.lead[method]}
      closeLabel={text.close}
      footer={
        method === 'prompt' && (
          <Button wide onClick={() => void openPrompt()}>
            {installText.how}
          </Button>
        )
      }
    >
      {steps.length > 0 && (
        <ol className="border-t border-line">
          {steps.map((step, at) => (
            <li key={step} className="flex min-h-14 items-center gap-3 border-b border-line py-2">
              <span aria-hidden className="w-5 shrink-0 text-center font-semibold text-soft tabular-nums">
                {at + 1}
              </span>
              <span className="min-w-0 flex-1">{step}</span>
              <span className="shrink-0 text-soft">{icons[method]?.[at]}</span>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  )
}
