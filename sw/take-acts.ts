// Acts that a page had no time to store: the worker outlives it and stores them.
import type { NewAct } from '#device/mutations/mutations.ts'
import type { Session } from '#device/database/schema.ts'

export interface TakePorts {
  readonly session: () => Promise<Session | undefined>
  readonly keep: (userId: string, act: NewAct) => Promise<void>
}

/** Stores them in their order, for whoever did them and is still signed in; one the page has stored stays as it is. */
export async function takeActs(
  { session, keep }: TakePorts,
  userId: string,
  acts: readonly NewAct[],
): Promise<void> {
  const who = await session()
  if (who?.user.id !== userId) return
  for (const it of acts) await keep(userId, it)
}
