// Shows the end of a delivery outside the app.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { Services } from './ports.ts'

/** A notice that cannot be shown stops nothing: the app says it when it is opened. */
export async function say({ notify }: Services, notice: DeliveryNotice): Promise<void> {
  await notify?.(notice).catch((error: unknown) => console.warn('no notice', error))
}
