// Shows a notice about a delivery outside the app.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { Services } from './ports.ts'

/** Shows a notice. A failure is only logged: the opened app shows the same result. */
export async function showNotice({ notify }: Services, notice: DeliveryNotice): Promise<void> {
  await notify?.(notice).catch((error: unknown) => console.warn('no notice', error))
}
