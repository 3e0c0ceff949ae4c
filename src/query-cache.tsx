// The query cache with its subscriptions, loaded by `lazy-query-cache.ts`.
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dropMissing, keepLatestCounts } from './domain/posts/post-cache.ts'
import { createQueryClient } from './domain/queries/query.ts'

// TanStack assumes a network until an event, so a page that starts offline has to set it.
onlineManager.setOnline(navigator.onLine)

export const queryClient = createQueryClient()
dropMissing(queryClient)
keepLatestCounts(queryClient)

// Loaded beside the first requests, not before them.
void import('./domain/offline/response-cache.ts').then(({ cacheResponses }) => cacheResponses(queryClient))

void import('./domain/people/live-own.ts').then(({ subscribeOwnChannel }) => subscribeOwnChannel(queryClient))

export function QueryCache({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
