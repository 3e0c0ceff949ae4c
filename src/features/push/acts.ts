// usePushActs: enables, disables and tests pushes, and shows the result.
import { useState } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import { sendTestPush, disablePush, enablePush } from '#src/domain/push/push.ts'
import type { EnableResult } from '#src/domain/push/push-device.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pushText } from './text.ts'
import { toast } from '#src/ui/overlays/toast.ts'

export type PushAct = 'on' | 'off' | 'test'

/** Handlers of the buttons; `busy` is the running action. */
export function usePushActs(ownerId: string) {
  const [busy, setBusy] = useState<PushAct>()
  async function doing<T>(act: PushAct, work: () => Promise<T>): Promise<T> {
    setBusy(act)
    try {
      return await work()
    } finally {
      setBusy(undefined)
    }
  }
  return {
    busy,
    on: () =>
      doing('on', async (): Promise<EnableResult> => {
        const end = await enablePush(ownerId)
        const { says, as } = pushText.turned[end]
        toast(says, as)
        return end
      }),
    off: () => doing('off', async () => disablePush().then(() => toast(pushText.off))),
    test: () =>
      doing('test', async () => {
        try {
          const outcome = await sendTestPush()
          toast(pushText.tested[outcome], outcome === 'sent' ? 'success' : 'error')
          // The server has no subscription of this device: the button to subscribe is shown again.
          if (outcome === 'none') await disablePush()
        } catch (failure) {
          if (!(failure instanceof ApiFailure)) throw failure
          toast(errorText[failure.code], 'error')
        }
      }),
  }
}
