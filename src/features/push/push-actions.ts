// usePushActions: enables, disables and tests pushes, and shows the result.
import { useState } from 'react'
import { ApiFailure } from '#src/domain/api/api.ts'
import { sendTestPush, disablePush, enablePush } from '#src/domain/push/push.ts'
import type { EnableResult } from '#src/domain/push/push-device.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { pushText } from './text.ts'
import { toast } from '#src/ui/overlays/toast.ts'

export type PushAction = 'on' | 'off' | 'test'

/** Handlers of the buttons; `busy` is the running action. */
export function usePushActions(ownerId: string) {
  const [busy, setBusy] = useState<PushAction>()
  async function withBusy<T>(action: PushAction, work: () => Promise<T>): Promise<T> {
    setBusy(action)
    try {
      return await work()
    } finally {
      setBusy(undefined)
    }
  }
  return {
    busy,
    on: () =>
      withBusy('on', async (): Promise<EnableResult> => {
        const end = await enablePush(ownerId)
        const { sentence, as } = pushText.turned[end]
        toast(sentence, as)
        return end
      }),
    off: () => withBusy('off', async () => disablePush().then(() => toast(pushText.off))),
    test: () =>
      withBusy('test', async () => {
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
