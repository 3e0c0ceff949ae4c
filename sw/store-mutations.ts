// Stores mutations that a closing page had no time to store; the worker outlives the page.
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { Session } from '#device/database/schema.ts'

export interface StoreMutationPorts {
  readonly session: () => Promise<Session | undefined>
  readonly keep: (userId: string, act: NewMutation) => Promise<void>
}

/** Stores them in their order, for whoever did them and is still signed in; one the page has stored stays as it is. */
export async function storeMutations(
  { session, keep }: StoreMutationPorts,
  userId: string,
  acts: readonly NewMutation[],
): Promise<void> {
  const who = await session()
  if (who?.user.id !== userId) return
  for (const it of acts) await keep(userId, it)
}
