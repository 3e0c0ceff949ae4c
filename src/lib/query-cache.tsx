// What was read, and the pages' way to it. Loaded with the first page that reads (see queries.ts).
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createQueryClient } from './query.ts'

export const queryClient = createQueryClient()

export function QueryCache({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
