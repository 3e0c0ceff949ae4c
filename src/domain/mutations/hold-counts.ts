// Holds counts of live messages while the viewer's own mutation of them is unanswered.
import { isLater } from '#contract/count-version.ts'
import { openMutations } from './mutations.ts'

/**
 * Counts of a live message do not say whether they include a mutation that is shown before its reply. They wait for the reply,
 * so that the mutation is never counted twice.
 * @param about the target of the mutation
 */
export function holdCounts<C extends { readonly version?: number | undefined }>(
  about: string,
  apply: (counts: C) => void,
): { readonly take: (counts: C) => void; readonly stop: () => void } {
  let held: C | undefined
  const look = () => {
    if (!held || openMutations.has(about)) return
    const counts = held
    held = undefined
    apply(counts)
  }
  return {
    take(counts) {
      // Earlier servers send one count a message.
      if (!held || isLater(counts, held)) held = { ...held, ...counts }
      look()
    },
    stop: openMutations.subscribe(look),
  }
}
