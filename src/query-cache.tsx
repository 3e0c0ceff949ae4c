// The query cache and what keeps it true. Loaded with the first page that reads (`lazy-query-cache.ts`).
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dropMissing } from './domain/posts/post-cache.ts'
import { createQueryClient } from './domain/queries/query.ts'

// It assumes a network until an event: a page that began without one would miss its return.
onlineManager.setOnline(navigator.onLine)

export const queryClient = createQueryClient()
dropMissing(queryClient)

// Beside the first answers, not before them.
void import('./domain/offline/response-cache.ts').then(({ cacheResponses }) => cacheResponses(queryClient))

void import('./domain/people/live-own.ts').then(({ subscribeOwnChannel }) => subscribeOwnChannel(queryClient))

export function QueryCache({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
