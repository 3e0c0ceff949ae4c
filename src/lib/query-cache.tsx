// What was read, and the pages' way to it. Loaded with the first page that reads (see queries.ts).
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dropMissing } from './post-cache.ts'
import { createQueryClient } from './query.ts'

// It supposes a network until told otherwise: a page that began without one would not hear of its return.
onlineManager.setOnline(navigator.onLine)

export const queryClient = createQueryClient()
dropMissing(queryClient)

// Beside the first answers, not before them.
void import('./answer-store.ts').then(({ keepAnswers }) => keepAnswers(queryClient))

void import('./live-own.ts').then(({ followOwn }) => followOwn(queryClient))

export function QueryCache({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
