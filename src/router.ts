// The router, and the data that every route declares.
import { createRouter } from '@tanstack/react-router'
import { NotFound } from './features/shell/failures/not-found.tsx'
import { PageFailure } from './features/shell/failures/page-failure.tsx'
import type { Access } from './domain/session/entry.ts'
import { routeTree } from './routeTree.gen.ts'
import type { RootContext } from './routes/__root.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    access: Access
    layout: 'default' | 'head-title' | 'simple' | 'empty'
    title: string
    /** Whether the page opens for an account that waits for its deletion; other member pages redirect. */
    whileLeaving?: boolean
    /** Name under which the tab keeps the secret of a link to the page. */
    secret?: string
  }
}

/** Pages that restore their position themselves, since only a part of their list is in the document. */
const restoresItself = (path: string) => /^\/(chat-messages\/[\da-f-]{36})?$/.test(path)

export function createAppRouter(context: RootContext) {
  return createRouter({
    routeTree,
    context,
    scrollRestoration: ({ location }) => !restoresItself(location.pathname),
    defaultPreload: 'intent',
    // The query cache decides which data is fresh.
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageFailure,
    defaultPendingMs: 200,
    defaultPendingMinMs: 200,
  })
}
